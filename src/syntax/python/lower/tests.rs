use super::super::parse;
use super::*;
