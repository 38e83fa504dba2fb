//! Counters, in the text format of Prometheus.

use std::fmt::Write as _;
use std::sync::atomic::{AtomicU64, Ordering};

/// The listeners, as labels.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Listener {
    /// The page and the API.
    Page,
    /// The gateway.
    Gateway,
}

/// The counters of a server.
#[derive(Default, Debug)]
pub(crate) struct Metrics {
    /// The responses of each listener, by the first digit of their status.
    responses: [[AtomicU64; 5]; 2],
    /// The number of transfers that began.
    transfers: AtomicU64,
    /// The number of requests that were refused because too many transfers were under way.
    busy: AtomicU64,
    /// The number of body bytes that the gateway passed on.
    bytes: AtomicU64,
}

/// Values that are measured on request.
pub(crate) struct Gauges {
    pub(crate) connections: usize,
    /// The number of transfers that are under way. `None` without a gateway.
    pub(crate) transfers: Option<usize>,
}

fn add(counter: &AtomicU64, count: u64) {
    counter.fetch_add(count, Ordering::Relaxed);
}

impl Metrics {
    pub(crate) fn response(&self, listener: Listener, status: u16) {
        let listener = match listener {
            Listener::Page => &self.responses[0],
            Listener::Gateway => &self.responses[1],
        };
        let class = usize::from(status / 100).checked_sub(1);
        if let Some(counter) = class.and_then(|class| listener.get(class)) {
            add(counter, 1);
        }
    }

    pub(crate) fn transfer(&self) {
        add(&self.transfers, 1);
    }

    pub(crate) fn busy(&self) {
        add(&self.busy, 1);
    }

    pub(crate) fn bytes(&self, count: usize) {
        add(&self.bytes, count as u64);
    }

    /// Writes all numbers.
    pub(crate) fn text(&self, gauges: &Gauges) -> String {
        let mut text = String::from("# TYPE urikit_responses_total counter\n");
        for (listener, counters) in ["page", "gateway"].iter().zip(&self.responses) {
            for (class, counter) in counters.iter().enumerate() {
                let (class, count) = (class + 1, counter.load(Ordering::Relaxed));
                let _ = writeln!(
                    text,
                    "urikit_responses_total{{listener=\"{listener}\",status=\"{class}xx\"}} {count}"
                );
            }
        }
        let _ = writeln!(
            text,
            "# TYPE urikit_connections gauge\nurikit_connections {}",
            gauges.connections
        );
        let Some(transfers) = gauges.transfers else {
            return text;
        };
        let _ = writeln!(
            text,
            "# TYPE urikit_transfers gauge\nurikit_transfers {transfers}"
        );
        for (name, counter) in [
            ("transfers", &self.transfers),
            ("transfers_refused", &self.busy),
            ("transferred_bytes", &self.bytes),
        ] {
            let count = counter.load(Ordering::Relaxed);
            let _ = writeln!(
                text,
                "# TYPE urikit_{name}_total counter\nurikit_{name}_total {count}"
            );
        }
        text
    }
}
