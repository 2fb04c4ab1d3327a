//! `a2lint test`: laws that hold for any kernel.

use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

use super::output::Streams;
use super::run::interrupt::Interrupt;
use super::run::{InputArgs, LimitArgs};
use super::{Command, Failure, Status, parsed};
use a2lint_report::Page;
use a2lint_report::laws::{self, LawReport};
use a2lint_run::laws::{Law, Request, Tested, test, test_all};
use a2lint_run::target::Target;
use a2lint_run::{Arguments, Supervisor, Which};

/// Options of `test`.
#[derive(Debug, clap::Args)]
pub struct TestArgs {
    /// A file, or one of its kernels.
    ///
    /// Kernels run under the launches of the file, the smallest first.
    #[arg(value_name = "FILE[::KERNEL]")]
    pub target: String,
    /// The laws that are tried [default: all].
    #[arg(long, value_enum, value_name = "LAW", value_delimiter = ',')]
    pub law: Vec<Law>,
    /// How many orders of lanes and pipes are drawn.
    #[arg(long, value_name = "N", default_value_t = 20)]
    pub schedules: u32,
    /// Seed of random inputs and orders: the same number gives the same results.
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,
    /// Show what results depend on, by rows and along each axis.
    #[arg(long)]
    pub dependence: bool,
    /// Show how far results are from exact arithmetic, and which statements that comes from.
    #[arg(long)]
    pub numerics: bool,
    #[command(flatten)]
    #[allow(missing_docs)]
    pub inputs: InputArgs,
    #[command(flatten)]
    #[allow(missing_docs)]
    pub limits: LimitArgs,
    /// Show one JSON object.
    #[arg(long)]
    pub json: bool,
}

impl TestArgs {
    fn arguments(&self) -> Arguments {
        Arguments {
            launch: self.inputs.given.launch.unwrap_or(Which::All),
            ..self.inputs.arguments()
        }
    }

    fn report<'a>(
        &self,
        target: &'a Target,
        start: Instant,
        tested: Vec<Tested<'a>>,
    ) -> LawReport<'a> {
        LawReport {
            shows_dependence: self.dependence,
            ..LawReport::since(start, target, tested)
        }
    }

    fn request(&self) -> Request {
        Request {
            laws: match self.law.is_empty() {
                true => Law::ALL.to_vec(),
                false => {
                    let asked = Law::ALL.into_iter().filter(|law| self.law.contains(law));
                    asked.collect()
                }
            },
            schedules: self.schedules,
            seed: self.seed,
            dependence: self.dependence,
            numerics: self.numerics,
            limits: self.limits.limits(),
        }
    }
}

/// Tries the laws on the kernels of a file.
pub fn run(args: &TestArgs, streams: &Streams) -> Result<Status, Failure> {
    let start = Instant::now();
    let target = Target::open(&args.target)?;
    let (arguments, request) = (args.arguments(), args.request());
    let interrupt = Interrupt::listen();
    let programs = target.programs()?;
    let wanted = programs.into_iter().enumerate();
    // After Ctrl-C the results so far are shown, and no further kernel is started.
    let wanted = wanted.take_while(|(at, _)| *at == 0 || !interrupt.is_asked());
    let tested = wanted.map(|(_, program)| {
        let mut terminal = Terminal::new(&interrupt, &program.name);
        test(&target, program, &arguments, &request, &mut terminal)
    });
    let report = args.report(&target, start, tested.collect());
    match args.json {
        true => streams.write(&laws::json(&report))?,
        false => streams.show(target.map.in_words(&laws::text(&report, streams.page)))?,
    }
    Ok(status(&report.tested))
}

/// The results of the laws for a kernel, or for all kernels of a file.
pub struct TestedFile {
    /// The JSON object of `a2lint test --json`.
    pub json: String,
    /// The report for people.
    pub text: String,
    /// Whether a law is violated.
    pub is_violated: bool,
    /// Whether something was not tried.
    pub is_untried: bool,
}

/// Tries the laws on `target`, which is `FILE[::KERNEL]`. `options` are options of the command line.
///
/// # Errors A message if there is nothing to try, or if the options are not those of `test`.
pub fn test_for_program(target: &str, options: &[String]) -> Result<TestedFile, String> {
    a2lint_source::guard::install();
    let start = Instant::now();
    let Command::Test(args) = parsed("test", options, &[target])? else {
        return Err("these are no options of test".to_owned());
    };
    let target = Target::open(&args.target).map_err(|error| error.to_string())?;
    let (arguments, request) = (args.arguments(), args.request());
    let tested = test_all(&target, &arguments, &request, &mut ());
    let tested = tested.map_err(|error| error.to_string())?;
    let report = args.report(&target, start, tested);
    Ok(TestedFile {
        json: laws::json(&report),
        text: {
            let text = target.map.in_words(&laws::text(&report, Page::PLAIN));
            Page::PLAIN.clean(&text).into_owned()
        },
        is_violated: report.tested.iter().any(Tested::is_violated),
        is_untried: report.tested.iter().any(Tested::is_untried),
    })
}

fn status(tested: &[Tested]) -> Status {
    let is_cut = tested.iter().any(|it| it.cut.is_some());
    match tested.iter().any(Tested::is_violated) {
        true => Status::Findings,
        false if is_cut || tested.iter().any(Tested::is_untried) => Status::Unusable,
        false => Status::Clean,
    }
}

/// Time before the progress bar appears.
const PATIENCE: Duration = Duration::from_secs(1);
/// Time between two updates.
const INTERVAL: Duration = Duration::from_millis(100);

/// Ctrl-C handling and a progress line on standard error, if it is a terminal.
struct Terminal<'a> {
    interrupt: &'a Interrupt,
    kernel: &'a str,
    law: String,
    next: Instant,
    bar: Option<ProgressBar>,
}

impl<'a> Terminal<'a> {
    fn new(interrupt: &'a Interrupt, kernel: &'a str) -> Terminal<'a> {
        Terminal {
            interrupt,
            kernel,
            law: String::new(),
            next: Instant::now() + PATIENCE,
            bar: None,
        }
    }
}

impl Supervisor for Terminal<'_> {
    fn is_cancelled(&mut self) -> bool {
        self.interrupt.is_asked()
    }

    fn stage(&mut self, what: &str) {
        what.clone_into(&mut self.law);
    }

    fn progress(&mut self, _: &a2lint_machine::Progress) {
        let now = Instant::now();
        if now < self.next {
            return;
        }
        self.next = now + INTERVAL;
        let bar = self.bar.get_or_insert_with(spinner);
        let (kernel, law) = (self.kernel, &self.law);
        bar.set_message(format!("{kernel}: {law}"));
        bar.tick();
    }
}

impl Drop for Terminal<'_> {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

fn spinner() -> ProgressBar {
    let template = "{spinner} {wide_msg} {elapsed}, Ctrl-C shows what is known";
    let style = ProgressStyle::with_template(template);
    let style = style.unwrap_or_else(|_| ProgressStyle::default_spinner());
    ProgressBar::new_spinner().with_style(style)
}
