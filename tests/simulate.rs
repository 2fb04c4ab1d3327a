//! The kernels of `tests/kernels` on the machine.

use std::path::Path;

use a2lint::device::Device;
use a2lint::frontend::easyasc::trace;
use a2lint::machine::{Bindings, Blind, BoundLaunch, End, Options, simulate};
use a2lint::text::SourceText;

#[test]
fn kernels_run_clean() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/kernels");
    let mut files: Vec<_> = std::fs::read_dir(folder)
        .unwrap()
        .flatten()
        .map(|e| e.path())
        .collect();
    files.sort();
    for path in files
        .iter()
        .filter(|path| path.extension().is_some_and(|ext| ext == "py"))
    {
        let text = std::fs::read_to_string(path).unwrap();
        let module = trace(&SourceText::new(text.as_str()));
        println!(
            "{}: {} programs {} launches",
            path.display(),
            module.programs.len(),
            module.launches.len()
        );
        for launch in &module.launches {
            let program = module
                .programs
                .iter()
                .find(|p| p.name == launch.kernel)
                .unwrap();
            let bound = BoundLaunch::bind(
                program,
                Some(launch),
                &module.launches,
                &Bindings::default(),
                Device::default(),
                1 << 30,
            );
            let bound = match bound {
                Ok(b) => b,
                Err(e) => {
                    println!("  {:?}: {e}", launch.scalars);
                    continue;
                }
            };
            let start = std::time::Instant::now();
            let outcome = simulate(program, &bound, &Options::default(), &mut Blind);
            println!(
                "  {} {:?} {:?} {} instrs, {} findings, faithful {} {:?}",
                program.name,
                launch.scalars,
                match &outcome.end {
                    End::Deadlock(d) => format!("{:?}", d.lines(program)),
                    e => format!("{e:?}"),
                },
                outcome.instructions,
                outcome.findings.len(),
                outcome.faithful,
                start.elapsed()
            );
            for f in outcome.findings.iter().take(4) {
                let mut line = 0;
                program.walk(&mut |s| {
                    if s.id == f.stmt {
                        line = text[..s.span.start as usize].lines().count()
                    }
                });
                println!("     line {line} {f:?}");
            }
            for f in outcome.illegal.iter().take(4) {
                println!("     {f:?}");
            }
        }
    }
}
