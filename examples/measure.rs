use a2lint::{syntax::python, text::SourceText};
use std::time::Instant;
fn main() {
    for path in std::env::args().skip(1) {
        let text = std::fs::read_to_string(&path).unwrap();
        let source = SourceText::new(text);
        let n = if source.as_str().len() < 100_000 {
            50
        } else {
            1
        };
        let t = Instant::now();
        let mut file = Default::default();
        for _ in 0..n {
            file = python::parse(&source);
        }
        let all = t.elapsed() / n;
        let t = Instant::now();
        let tree = python::parse_tree(source.as_str(), None);
        println!(
            "{path}: {} bytes, parse {:?}, tree {:?} some={} errors {} first {:?} body {}",
            source.as_str().len(),
            all,
            t.elapsed(),
            tree.is_some(),
            file.errors.len(),
            file.errors.first(),
            file.body.len()
        );
        if let Some(tree) = tree {
            if source.as_str().len() < 2000 {
                println!("{}", tree.root_node().to_sexp());
                println!("{:#?}", file);
            }
        }
    }
}
