//! A generated server on a simulated network, with random sizes, orders, repetitions and losses.
//! Time is simulated too, which makes many seeds cheap.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::time::Duration;
use urikit_historic::prospero::ardp::{Exchange, Header, Progress, Timing};
use urikit_testkit::Random;

/// The number of simulated exchanges.
const SEEDS: u64 = 4_000;

const TIMING: Timing = Timing {
    wait: Duration::from_secs(4),
    tries: 30,
    max_wait: Duration::from_secs(60),
};

/// A server that behaves like Prospero P5.3. The server sends windows of 16 packets, the last of
/// which requests an acknowledgement. Only the last packet contains the total number of packets.
/// Repeated packets have the total and a swapped id.
struct Server {
    id: u16,
    request: Vec<Option<Vec<u8>>>,
    answer: Vec<Vec<u8>>,
    /// The last packet that the client acknowledged.
    through: usize,
    /// The last packet that was sent at least once.
    sent: usize,
    window: usize,
}

impl Server {
    fn receive(&mut self, datagram: &[u8], random: &mut Random) -> Vec<Vec<u8>> {
        let (header, data) = Header::decode(datagram).unwrap();
        assert_eq!(header.id, self.id);
        self.through = self.through.max(usize::from(header.through));
        if header.packet > 0 {
            self.request.resize(usize::from(header.total), None);
            self.request[usize::from(header.packet) - 1] = Some(data.to_vec());
        }
        if self.request.is_empty() || self.request.iter().any(Option::is_none) {
            // The server acknowledges the packets it has, or does nothing.
            let has = self.request.iter().take_while(|packet| packet.is_some());
            let has = u16::try_from(has.count()).unwrap();
            let header = Header::of_packet(self.id, 0, 0, has);
            return if random.chance(50) {
                vec![header.encode(b"")]
            } else {
                Vec::new()
            };
        }
        let end = self.answer.len().min(self.through + self.window);
        let mut datagrams = Vec::new();
        for index in self.through..end {
            datagrams.push(self.packet(index, index + 1 == end));
        }
        self.sent = self.sent.max(end);
        datagrams
    }

    fn packet(&self, index: usize, is_last_of_window: bool) -> Vec<u8> {
        let (total, number) = (self.answer.len(), index + 1);
        let is_again = index < self.sent;
        let id = if is_again {
            self.id.swap_bytes()
        } else {
            self.id
        };
        let is_end = number == total;
        let known = if is_again || is_end { total } else { 0 };
        let [number, known] = [number, known].map(|it| u16::try_from(it).unwrap().to_be_bytes());
        let mut datagram = vec![0];
        datagram.extend_from_slice(&id.to_be_bytes());
        if total == 1 && !is_again {
            datagram[0] = 3;
        } else {
            datagram.extend_from_slice(&number);
            datagram.extend_from_slice(&known);
            datagram[0] = 7;
        }
        if is_last_of_window && !is_end {
            datagram.extend_from_slice(&[0, 1, 0, 0, 0x80]);
            datagram[0] = 12;
        }
        datagram.extend_from_slice(&self.answer[index]);
        datagram
    }
}

/// A datagram in transit: the time of its arrival, true if it goes to the client, a number that
/// keeps the order, and the octets.
type Event = Reverse<(Duration, bool, u64, Vec<u8>)>;

struct Network {
    random: Random,
    events: BinaryHeap<Event>,
    count: u64,
    loss: usize,
}

impl Network {
    fn send(&mut self, now: Duration, to_client: bool, datagram: &[u8]) {
        // The datagram arrives once, twice, or never.
        let copies =
            usize::from(!self.random.chance(self.loss)) + usize::from(self.random.chance(10));
        for _ in 0..copies {
            let delay = Duration::from_millis(u64::try_from(self.random.below(300)).unwrap());
            self.count += 1;
            let event = (now + delay, to_client, self.count, datagram.to_vec());
            self.events.push(Reverse(event));
        }
    }
}

fn octets(random: &mut Random, max: usize) -> Vec<u8> {
    let length = random.below(max);
    (0..length)
        .map(|_| u8::try_from(random.below(256)).unwrap())
        .collect()
}

/// Returns the duration, and true if anything was repeated.
fn simulate(seed: u64) -> (Duration, bool) {
    let mut random = Random::new(seed);
    let id = u16::try_from(random.below(65535) + 1).unwrap();
    let request = octets(&mut random, 4000);
    let packets = match random.below(4) {
        0 => 1,
        1 => random.below(16) + 1,
        _ => random.below(100) + 1,
    };
    let answer: Vec<_> = (0..packets).map(|_| octets(&mut random, 40)).collect();
    let mut server = Server {
        id,
        request: Vec::new(),
        through: 0,
        sent: 0,
        window: random.below(16) + 1,
        answer,
    };
    let loss = *random.pick(&[0, 0, 5, 15, 30]);
    let mut network = Network {
        random,
        events: BinaryHeap::new(),
        count: 0,
        loss,
    };
    let mut client = Exchange::new(id, &request, usize::MAX, TIMING).unwrap();
    let (mut now, mut again) = (Duration::ZERO, false);
    loop {
        for datagram in client.outgoing() {
            network.send(now, false, &datagram);
        }
        let next = network.events.peek().map(|Reverse((at, ..))| *at);
        if next.is_none_or(|at| at >= client.due()) {
            now = client.due();
            again |= client.check(now).unwrap_or_else(|_| panic!("seed {seed}"));
            continue;
        }
        let Some(Reverse((at, to_client, _, datagram))) = network.events.pop() else {
            continue;
        };
        now = at;
        if !to_client {
            for answer in server.receive(&datagram, &mut network.random) {
                network.send(now, true, &answer);
            }
            continue;
        }
        // A datagram of another connection.
        let forged = Header::of_packet(id ^ 0x0101, 1, 1, 0).encode(b"forged");
        if id ^ 0x0101 != id.swap_bytes() {
            assert_eq!(client.receive(&forged, now), Ok(Progress::Waiting));
        }
        match client.receive(&datagram, now).unwrap() {
            Progress::Complete => break,
            Progress::Waiting => {}
            other => panic!("seed {seed}: {other:?}"),
        }
    }
    let sent: Vec<_> = server.request.into_iter().flatten().collect();
    assert_eq!(sent.concat(), request, "seed {seed}");
    assert_eq!(
        client.into_response(),
        server.answer.concat(),
        "seed {seed}"
    );
    (now, again)
}

#[test]
fn an_honest_client_survives() {
    let (mut repeated, mut longest) = (0, Duration::ZERO);
    for seed in 0..SEEDS {
        let (time, again) = simulate(seed);
        repeated += usize::from(again);
        longest = longest.max(time);
    }
    // Most losses cause the client to repeat a request, and nothing else does.
    assert!(repeated > 1000 && repeated < 3000, "{repeated}");
    assert!(longest > Duration::from_secs(20), "{longest:?}");
}
