//! Ports for datagrams.

use super::{Policy, Refusal};

impl Policy {
    /// Whether datagrams may be sent to a port: one of the scheme's `own`, or one that was
    /// [allowed](Policy::allow_port).
    pub(crate) fn check_datagram_port(&self, port: u16, own: &[u16]) -> Result<(), Refusal> {
        let allowed = port != 0 && (own.contains(&port) || self.ports.contains(&port));
        allowed.then_some(()).ok_or(Refusal::DatagramPort { port })
    }
}

#[cfg(test)]
mod tests {
    use super::Policy;

    #[test]
    fn only_own_and_allowed_ports() {
        let (policy, own) = (Policy::new(), [1525, 191]);
        for port in 0..=u16::MAX {
            let is_allowed = policy.check_datagram_port(port, &own).is_ok();
            assert_eq!(is_allowed, own.contains(&port), "{port}");
        }
        let policy = policy.allow_port(8191).allow_port(0);
        assert!(policy.check_datagram_port(8191, &own).is_ok());
        assert!(policy.check_datagram_port(0, &own).is_err());
    }
}
