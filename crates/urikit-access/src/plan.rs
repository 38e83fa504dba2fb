//! Plans, which describe what an access will do and send.
//!
//! A plan is data. The client defines the actions that all protocols share, such as connecting.
//! Each protocol defines its other actions as values of its own types, which implement
//! [`Command`], [`Step`] or [`Condition`]. These values are converted to words only when a plan is
//! displayed.

use crate::command::{AnyCommand, Command};
use crate::mask::escape_all;
use std::any::Any;
use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

/// The steps of an access, in order.
///
/// `Display` prints a line for each step, with passwords masked. `uri fetch --plan` prints plans in
/// this form.
///
/// ```
/// use urikit_access::{Action, Condition, Line, Plan};
///
/// #[derive(Debug)]
/// struct NotPooled;
///
/// impl Condition for NotPooled {
///     fn words(&self) -> &'static str {
///         "the connection is not kept"
///     }
/// }
///
/// let mut plan = Plan::new();
/// plan.push(Action::Connect("h.dom".to_owned(), 79));
/// plan.send(Line::new("/W"));
/// plan.send_if(NotPooled, Line::new("QUIT"));
/// assert_eq!(
///     plan.to_string(),
///     "connect  h.dom:79\n\
///      send     \"/W\"\n\
///      send     \"QUIT\"  (if the connection is not kept)\n"
/// );
/// ```
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Plan {
    steps: Vec<Planned>,
}

/// An action, and the condition under which it is taken.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Planned {
    /// The action.
    pub action: Action,
    /// The condition under which the step is taken. `None` if the step is always taken.
    pub when: Option<AnyCondition>,
}

/// A step that a protocol defines, other than connecting and sending a command.
///
/// Each protocol implements this trait for its step type, usually an enum.
///
/// ```
/// use std::borrow::Cow;
/// use urikit_access::{Plan, Step};
///
/// #[derive(Debug)]
/// struct Open {
///     path: Vec<u8>,
/// }
///
/// impl Step for Open {
///     fn words(&self) -> (&'static str, Cow<'_, [u8]>) {
///         ("opens", Cow::Borrowed(&self.path))
///     }
/// }
///
/// let mut plan = Plan::new();
/// plan.step(Open { path: b"/etc/motd".to_vec() });
/// assert_eq!(plan.to_string(), "then     opens \"/etc/motd\"\n");
/// ```
pub trait Step: fmt::Debug + Any + Send + Sync {
    /// Describes the step: a phrase such as `opens`, and the octets that the phrase applies to, if
    /// any. Neither the phrase nor the octets may contain secrets.
    fn words(&self) -> (&'static str, Cow<'_, [u8]>);
}

/// A condition under which a step is taken. A condition can be evaluated only during the access.
///
/// Each protocol implements this trait for its condition type, usually an enum. [`Plan`] has an
/// example.
pub trait Condition: fmt::Debug + Any + Send + Sync {
    /// Returns the condition as a clause that follows "if", such as `EPSV is refused`.
    fn words(&self) -> &'static str;
}

/// A step of any protocol. Two steps are equal if they have the same type and the same words.
#[derive(Clone)]
pub struct AnyStep(Arc<dyn Step>);

/// A condition of any protocol. Two conditions are equal if they have the same type and the same
/// words.
#[derive(Clone)]
pub struct AnyCondition(Arc<dyn Condition>);

/// An action of a client.
///
/// [`words`](Self::words) describes it.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Action {
    /// Connects to a port of a host, which is written as in the URL.
    Connect(String, u16),
    /// Connects to a proxy.
    ConnectProxy(String, u16),
    /// Asks a SOCKS proxy to connect to a port of a host.
    AskProxy(String, u16),
    /// Opens a data connection to the port that the server specifies, at the same address.
    ConnectForData,
    /// Asks the proxy to open a data connection, as it opened the first connection.
    AskProxyForData,
    /// Starts TLS on the connection.
    StartTls,
    /// Sends a command.
    Send(AnyCommand),
    /// Sends the body of an upload.
    SendBody,
    /// Follows a redirect to a URL.
    Redirect(String),
    /// Asks the user.
    Ask(Question),
    /// Takes a step that the protocol defines.
    Step(AnyStep),
}

/// A question to the user.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Question {
    /// Asks for the password, and sends it.
    Password,
    /// Asks for a user and a password, and repeats the request with them.
    Login,
    /// Asks for the words to search for.
    SearchWords,
    /// Asks for the answers to a form.
    Form,
}

impl Plan {
    /// Creates a plan without steps.
    pub const fn new() -> Self {
        Self { steps: Vec::new() }
    }

    /// Adds an action.
    pub fn push(&mut self, action: Action) {
        self.steps.push(Planned { action, when: None });
    }

    /// Adds an action that is taken under a condition.
    pub fn push_if(&mut self, when: impl Condition, action: Action) {
        let when = Some(AnyCondition::new(when));
        self.steps.push(Planned { action, when });
    }

    /// Adds a command to send.
    pub fn send(&mut self, command: impl Command) {
        self.push(Action::send(command));
    }

    /// Adds a command that is sent under a condition.
    pub fn send_if(&mut self, when: impl Condition, command: impl Command) {
        self.push_if(when, Action::send(command));
    }

    /// Adds a step that the protocol defines.
    pub fn step(&mut self, step: impl Step) {
        self.push(Action::step(step));
    }

    /// Adds a step that is taken under a condition.
    pub fn step_if(&mut self, when: impl Condition, step: impl Step) {
        self.push_if(when, Action::step(step));
    }

    /// Replaces each step that connects to a server with the actions that `by` returns, if any.
    /// These actions keep the condition of the replaced step. Data connections use the same route
    /// as the preceding connection.
    pub(crate) fn replace_connections<E>(
        &mut self,
        mut by: impl FnMut(&str, u16) -> Result<Option<Vec<Action>>, E>,
    ) -> Result<(), E> {
        let mut steps = Vec::with_capacity(self.steps.len());
        let mut is_replaced = false;
        for step in self.steps.drain(..) {
            let replaced = match &step.action {
                Action::Connect(host, port) => {
                    let replaced = by(host, *port)?;
                    is_replaced = replaced.is_some();
                    replaced
                }
                Action::ConnectForData if is_replaced => Some(vec![Action::AskProxyForData]),
                _ => None,
            };
            match replaced {
                Some(actions) => steps.extend(actions.into_iter().map(|action| Planned {
                    action,
                    when: step.when.clone(),
                })),
                None => steps.push(step),
            }
        }
        self.steps = steps;
        Ok(())
    }

    /// Returns the steps.
    pub fn steps(&self) -> &[Planned] {
        &self.steps
    }

    /// Returns each command in the plan, and whether it is sent unconditionally.
    pub fn commands(&self) -> impl Iterator<Item = (&AnyCommand, bool)> {
        self.steps.iter().filter_map(|step| match &step.action {
            Action::Send(command) => Some((command, step.when.is_none())),
            _ => None,
        })
    }
}

impl fmt::Display for Plan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for step in &self.steps {
            writeln!(f, "{step}")?;
        }
        Ok(())
    }
}

impl Planned {
    /// Displays the step with passwords in plain text.
    pub fn unmasked(&self) -> impl fmt::Display {
        let (mut text, masks) = (String::new(), false);
        let _ = self.write(&mut text, masks);
        text
    }

    fn write(&self, out: &mut impl fmt::Write, masks: bool) -> fmt::Result {
        match &self.action {
            Action::Connect(host, port) => write!(out, "connect  {host}:{port}"),
            Action::ConnectProxy(host, port) => write!(out, "connect  {host}:{port}, a proxy"),
            Action::Send(command) => match (command.words(), masks) {
                (Some(words), _) => write!(out, "send     {}", escape_all(words.as_bytes())),
                (None, true) => write!(out, "send     \"{}\"", escape_all(&command.masked())),
                (None, false) => write!(out, "send     \"{}\"", escape_all(&command.octets())),
            },
            action => match action.words() {
                (words, with) if with.is_empty() => write!(out, "then     {words}"),
                (words, with) => write!(out, "then     {words} \"{}\"", escape_all(&with)),
            },
        }?;
        match &self.when {
            Some(when) => write!(out, "  ({when})"),
            None => Ok(()),
        }
    }
}

impl fmt::Display for Planned {
    /// Passwords are masked.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write(f, true)
    }
}

impl Action {
    /// Sends a command.
    pub fn send(command: impl Command) -> Self {
        Self::Send(AnyCommand::new(command))
    }

    /// Creates an action from a step that the protocol defines.
    pub fn step(step: impl Step) -> Self {
        Self::Step(AnyStep::new(step))
    }

    /// Describes the action: a phrase such as `sends`, and the octets that the phrase applies to,
    /// if any. Secrets in a command are masked.
    ///
    /// ```
    /// use urikit_access::{Action, Line};
    /// assert_eq!(Action::StartTls.words(), ("starts TLS", b"".into()));
    /// assert_eq!(Action::send(Line::new("QUIT")).words(), ("sends", b"QUIT".into()));
    /// ```
    pub fn words(&self) -> (&'static str, Cow<'_, [u8]>) {
        let server = |host: &str, port| Cow::Owned(format!("{host}:{port}").into_bytes());
        let words = match self {
            Self::Connect(host, port) => return ("connects to", server(host, *port)),
            Self::ConnectProxy(host, port) => {
                return ("connects to the proxy", server(host, *port));
            }
            Self::AskProxy(host, port) => {
                return ("asks the proxy to connect to", server(host, *port));
            }
            Self::ConnectForData => {
                "connects to the port that the server specifies, at the same address"
            }
            Self::AskProxyForData => {
                "asks the proxy to connect to the port that the server specifies"
            }
            Self::StartTls => "starts TLS",
            Self::Send(command) => {
                let words = command.words().map(String::into_bytes);
                return ("sends", words.unwrap_or_else(|| command.masked()).into());
            }
            Self::SendBody => "sends the body",
            Self::Redirect(url) => return ("is redirected to", url.as_bytes().into()),
            Self::Ask(Question::Password) => "asks the user for the password, and sends it",
            Self::Ask(Question::Login) => "asks the user to log in, and tries again",
            Self::Ask(Question::SearchWords) => "asks the user for words to search for",
            Self::Ask(Question::Form) => "asks the user to fill in the form",
            Self::Step(step) => return step.words(),
        };
        (words, Cow::Borrowed(&[]))
    }
}

impl AnyStep {
    /// Wraps a step.
    pub fn new(step: impl Step) -> Self {
        Self(Arc::new(step))
    }

    /// Returns the step as a `T`, which is a step type of its protocol, or `None` if the step has
    /// another type.
    pub fn downcast_ref<T: Step>(&self) -> Option<&T> {
        let step: &dyn Any = &*self.0;
        step.downcast_ref()
    }

    /// Describes the step, as [`Step::words`] does.
    pub fn words(&self) -> (&'static str, Cow<'_, [u8]>) {
        self.0.words()
    }
}

impl PartialEq for AnyStep {
    fn eq(&self, other: &Self) -> bool {
        self.0.as_ref().type_id() == other.0.as_ref().type_id() && self.words() == other.words()
    }
}

impl Eq for AnyStep {}

impl fmt::Debug for AnyStep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl AnyCondition {
    /// Wraps a condition.
    pub fn new(condition: impl Condition) -> Self {
        Self(Arc::new(condition))
    }

    /// Returns the condition as a `T`, which is a condition type of its protocol, or `None` if the
    /// condition has another type.
    pub fn downcast_ref<T: Condition>(&self) -> Option<&T> {
        let condition: &dyn Any = &*self.0;
        condition.downcast_ref()
    }
}

impl PartialEq for AnyCondition {
    fn eq(&self, other: &Self) -> bool {
        self.0.as_ref().type_id() == other.0.as_ref().type_id() && self.0.words() == other.0.words()
    }
}

impl Eq for AnyCondition {}

impl fmt::Display for AnyCondition {
    /// Returns the word "if" and the condition.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "if {}", self.0.words())
    }
}

impl fmt::Debug for AnyCondition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
