//! Hazards: clean kernels have none.

use std::path::{Path, PathBuf};

use a2lint::device::Device;
use a2lint::frontend::easyasc::trace;
use a2lint::hazards::{Hazard, Tracker};
use a2lint::ir::{Module, StmtId};
use a2lint::machine::{Bindings, BoundLaunch, Options, simulate};
use a2lint::text::SourceText;

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(name)
}

fn hazards(module: &Module) -> Vec<(String, Vec<Hazard>)> {
    let mut all = Vec::new();
    for launch in &module.launches {
        let Some(program) = module.programs.iter().find(|p| p.name == launch.kernel) else {
            continue;
        };
        let Ok(bound) = BoundLaunch::bind(
            program,
            Some(launch),
            &module.launches,
            &Bindings::default(),
            Device::default(),
            1 << 30,
        ) else {
            continue;
        };
        let mut tracker = Tracker::new(program, bound.cores);
        simulate(program, &bound, &Options::default(), &mut tracker);
        all.push((
            format!("{} {:?}", launch.kernel, launch.scalars),
            tracker.finish(),
        ));
    }
    all
}

#[test]
fn clean_kernels_have_no_hazards() {
    for entry in std::fs::read_dir(folder(
        &std::env::var("SYNC_DIR").unwrap_or("tests/kernels".into()),
    ))
    .expect("there")
    {
        let path = entry.expect("entry").path();
        if path.extension().is_none_or(|e| e != "py") {
            continue;
        }
        let source = SourceText::new(std::fs::read_to_string(&path).expect("text").as_str());
        let module = trace(&source);
        for (name, found) in hazards(&module) {
            for hazard in found {
                let program = module
                    .programs
                    .iter()
                    .find(|p| name.starts_with(&p.name))
                    .expect("p");
                let mut spans = std::collections::HashMap::new();
                program.walk(&mut |stmt| {
                    spans.insert(stmt.id, stmt.span);
                });
                let line = |id: StmtId| source.as_str()[..spans[&id].range().start].lines().count();
                println!(
                    "{} {name}: {:?} {:?} {:?} x{}\n   {}:{:?} {:?} {:?}\n   {}:{:?} {:?} {:?}",
                    path.file_name().unwrap().to_string_lossy(),
                    hazard.kind,
                    hazard.memory,
                    hazard.bytes,
                    hazard.count,
                    line(hazard.first.stmt),
                    hazard.first.pipe,
                    hazard.first.lane,
                    hazard.first.iterations,
                    line(hazard.second.stmt),
                    hazard.second.pipe,
                    hazard.second.lane,
                    hazard.second.iterations
                );
            }
        }
    }
}
