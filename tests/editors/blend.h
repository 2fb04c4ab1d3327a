#pragma once
constexpr int PATTERN = 1;
