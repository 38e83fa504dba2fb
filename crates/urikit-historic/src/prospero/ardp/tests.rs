//! Tests of headers, messages and exchanges.

use super::exchange::MAX_AHEAD;
use super::{
    Exchange, Failure, Header, MAX_DATA, Malformed, Message, Notice, Progress, Timing, TooLong,
};
use std::time::Duration;

const ID: u16 = 0x1234;

const TIMING: Timing = Timing {
    wait: Duration::from_secs(4),
    tries: 3,
    max_wait: Duration::from_secs(60),
};

fn at(seconds: u64) -> Duration {
    Duration::from_secs(seconds)
}

fn exchange() -> Exchange {
    let mut exchange = Exchange::new(ID, b"VERSION\n", 100, TIMING).unwrap();
    assert_eq!(
        exchange.outgoing(),
        [b"\x09\x12\x34\0\x01\0\x01\0\0VERSION\n"]
    );
    exchange
}

#[test]
fn an_answer_in_one_packet_is_not_acknowledged() {
    let mut exchange = exchange();
    let answer = b"\x03\x12\x34VERSION 5\n";
    assert_eq!(exchange.receive(answer, at(1)), Ok(Progress::Complete));
    assert!(exchange.outgoing().is_empty());
    assert_eq!(exchange.into_response(), b"VERSION 5\n");
}

#[test]
fn the_wait_doubles_until_the_tries_are_used_up() {
    let mut exchange = exchange();
    for (now, due) in [(4, 12), (12, 28), (28, 60)] {
        assert_eq!(exchange.check(at(now - 1)), Ok(false));
        assert!(exchange.outgoing().is_empty());
        assert_eq!(exchange.check(at(now)), Ok(true));
        assert_eq!(exchange.outgoing().len(), 1);
        assert_eq!(exchange.due(), at(due));
    }
    assert_eq!(exchange.check(at(60)), Err(Failure::Silence));
    assert!(!exchange.is_heard());
}

#[test]
fn the_id_and_its_swap_are_accepted_and_nothing_else() {
    for id in 0..=u16::MAX {
        let mut exchange = Exchange::new(ID, b"VERSION\n", 100, TIMING).unwrap();
        let [high, low] = id.to_be_bytes();
        let progress = exchange.receive(&[3, high, low, b'x'], at(1)).unwrap();
        let is_ours = id == 0x1234 || id == 0x3412;
        assert_eq!(progress == Progress::Complete, is_ours, "{id:04x}");
        assert_eq!(exchange.is_heard(), is_ours);
    }
    let mut exchange = exchange();
    for length in [1, 2] {
        assert_eq!(
            exchange.receive(&[length, 0, 0], at(1)),
            Ok(Progress::Waiting)
        );
    }
}

#[test]
fn an_acknowledgement_is_sent_where_it_is_asked_for() {
    let mut exchange = exchange();
    let packet = |number: u8| [7, 0x12, 0x34, 0, number, 0, 0, b'x'];
    assert_eq!(exchange.receive(&packet(1), at(1)), Ok(Progress::Waiting));
    assert!(exchange.outgoing().is_empty());
    let asks = [12, 0x12, 0x34, 0, 2, 0, 0, 0, 1, 0, 0, 0x80, b'x'];
    // The client acknowledges each time, because the first acknowledgement may be lost.
    for _ in 0..2 {
        assert_eq!(exchange.receive(&asks, at(1)), Ok(Progress::Waiting));
        assert_eq!(exchange.outgoing(), [b"\x09\x12\x34\0\0\0\0\0\x02"]);
    }
    // The client acknowledges only the packets before a gap.
    let asks = [12, 0x12, 0x34, 0, 4, 0, 4, 0, 1, 0, 0, 0x80, b'x'];
    assert_eq!(exchange.receive(&asks, at(2)), Ok(Progress::Waiting));
    assert_eq!(exchange.outgoing(), [b"\x09\x12\x34\0\0\0\0\0\x02"]);
    // The client requests the missing packet both with an acknowledgement and by repeating the
    // request.
    assert_eq!(exchange.due(), at(6));
    assert_eq!(exchange.check(at(6)), Ok(true));
    assert_eq!(exchange.outgoing(), [b"\x09\x12\x34\0\0\0\0\0\x02"]);
    assert_eq!(exchange.check(at(14)), Ok(true));
    let again = b"\x09\x12\x34\0\x01\0\x01\0\x02VERSION\n";
    assert_eq!(exchange.outgoing(), [again]);
    assert_eq!(exchange.receive(&packet(3), at(15)), Ok(Progress::Complete));
    assert_eq!(exchange.into_response(), b"xxxx");
}

#[test]
fn a_sequenced_control_packet_has_a_number_and_no_data() {
    let mut exchange = exchange();
    let control = [12, 0x12, 0x34, 0, 1, 0, 0, 0, 1, 0, 0, 0x40, b'x'];
    assert_eq!(exchange.receive(&control, at(1)), Ok(Progress::Waiting));
    let last = [7, 0x12, 0x34, 0, 2, 0, 2, b'y'];
    assert_eq!(exchange.receive(&last, at(1)), Ok(Progress::Complete));
    assert_eq!(exchange.into_response(), b"y");
}

#[test]
fn the_server_may_request_a_longer_wait() {
    let mut exchange = exchange();
    let wait = |seconds: u8| [11, 0x12, 0x34, 0, 0, 0, 0, 0, 1, 0, seconds];
    exchange.check(at(4)).unwrap();
    assert_eq!(exchange.receive(&wait(30), at(5)), Ok(Progress::Waiting));
    assert_eq!(exchange.due(), at(35));
    // The limit applies, and 0 restores the default wait.
    exchange.receive(&wait(200), at(6)).unwrap();
    assert_eq!(exchange.due(), at(66));
    exchange.receive(&wait(0), at(7)).unwrap();
    assert_eq!(exchange.due(), at(11));
    // The same request again changes nothing.
    exchange.receive(&wait(0), at(8)).unwrap();
    assert_eq!(exchange.due(), at(11));
}

#[test]
fn a_long_request_is_cut_into_packets() {
    let request = vec![b'x'; 2 * MAX_DATA + 1];
    let mut exchange = Exchange::new(ID, &request, 100, TIMING).unwrap();
    let lengths = |datagrams: &[Vec<u8>]| -> Vec<_> {
        let header = |datagram: &Vec<u8>| {
            let (header, data) = Header::decode(datagram).unwrap();
            (header.packet, header.total, data.len())
        };
        datagrams.iter().map(header).collect()
    };
    let all = [(1, 3, 1250), (2, 3, 1250), (3, 3, 1)];
    assert_eq!(lengths(&exchange.outgoing()), all);
    // The client does not repeat packets that the server has, unless the server has all of them.
    for (through, from) in [(2, 2), (9, 0)] {
        let heard = [9, 0x12, 0x34, 0, 0, 0, 0, 0, through];
        exchange.receive(&heard, at(1)).unwrap();
        exchange.check(exchange.due()).unwrap();
        assert_eq!(lengths(&exchange.outgoing()), all[from..]);
    }
    // A server that lost packets resets the number.
    let reset = [13, 0x12, 0x34, 0, 0, 0, 0, 0, 1, 0, 0, 0, 2];
    exchange.receive(&reset, at(1)).unwrap();
    exchange.check(exchange.due()).unwrap();
    assert_eq!(lengths(&exchange.outgoing()), all[1..]);
    let request = vec![b'x'; MAX_DATA * 65535 + 1];
    let refused = Exchange::new(ID, &request, 100, TIMING);
    assert_eq!(refused.err(), Some(Failure::Request));
}

#[test]
fn refused_redirected_and_too_long() {
    let refused = [13, 0x12, 0x34, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1];
    assert_eq!(exchange().receive(&refused, at(1)), Ok(Progress::Refused));
    let mut redirect = vec![19, 0x12, 0x34, 0, 0, 0, 0, 0, 0, 0, 0, 0, 4];
    redirect.extend_from_slice(&[192, 0, 2, 1, 0, 191]);
    let to = "192.0.2.1:191".parse().unwrap();
    let redirected = exchange().receive(&redirect, at(1));
    assert_eq!(redirected, Ok(Progress::Redirected(to)));
    let mut long = vec![3, 0x12, 0x34];
    long.resize(3 + 101, b'x');
    assert_eq!(exchange().receive(&long, at(1)), Err(Failure::TooLong));
}

#[test]
fn every_field_may_be_left_out() {
    let full = [
        17, 0x12, 0x34, 0, 2, 0, 3, 0, 1, 0, 9, 0x80, 254, 1, 2, 3, 4, b'x',
    ];
    for length in 1..=17_u8 {
        let mut datagram = full.get(..usize::from(length)).unwrap().to_vec();
        datagram[0] = length;
        datagram.push(b'x');
        let (header, data) = Header::decode(&datagram).unwrap();
        let has = |end: u8| length >= end;
        assert_eq!(data, b"x");
        assert_eq!(header.id, if has(3) { 0x1234 } else { 0 });
        assert_eq!(header.packet, if has(5) { 2 } else { 1 });
        let total = if has(7) { 3 } else { u16::from(!has(5)) };
        assert_eq!(header.total, total);
        assert_eq!(header.through, u16::from(has(9)));
        assert_eq!(header.wait, has(11).then_some(9));
        assert_eq!(header.flags, if has(12) { 0x80 } else { 0 });
        let notice = if has(13) {
            Notice::Other(254)
        } else {
            Notice::None
        };
        assert_eq!(header.notice, notice);
    }
}

#[test]
fn datagrams_without_a_header() {
    for (datagram, error) in [
        (&b""[..], Malformed::Empty),
        (b"\0data", Malformed::Length(0)),
        (b"\x03\x12", Malformed::Length(3)),
        (b"\x3Fabc", Malformed::Length(63)),
        (b"\x43\x12\x34", Malformed::Version(1)),
        (b"VERSION 1", Malformed::Version(1)),
        (b"\xC9\x12\x34", Malformed::Version(3)),
    ] {
        assert_eq!(Header::decode(datagram), Err(error));
    }
}

#[test]
fn a_redirect_has_an_address_after_the_fields_of_the_flags() {
    let address = "10.1.2.3:1525".parse().unwrap();
    for (flags, skipped) in [(0, 0), (0x02, 2), (0x04, 2), (0x86, 4)] {
        let mut datagram = vec![19 + skipped, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, flags, 4];
        datagram.resize(13 + usize::from(skipped), 0xEE);
        datagram.extend_from_slice(&[10, 1, 2, 3, 0x05, 0xF5]);
        let (header, _) = Header::decode(&datagram).unwrap();
        assert_eq!(header.notice, Notice::Redirect(address), "{flags}");
        // With one octet less, the address is incomplete.
        datagram[0] -= 1;
        let (header, _) = Header::decode(&datagram).unwrap();
        assert_eq!(header.notice, Notice::Other(4));
    }
    let mut unknown = vec![19, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0x01, 4];
    unknown.extend_from_slice(&[10, 1, 2, 3, 0x05, 0xF5]);
    let (header, _) = Header::decode(&unknown).unwrap();
    assert_eq!(header.notice, Notice::Other(4));
}

#[test]
fn a_request_in_one_packet() {
    let header = Header::of_packet(0x1211, 1, 1, 0);
    let datagram = header.encode(b"VERSION\n");
    assert_eq!(datagram, b"\x09\x12\x11\0\x01\0\x01\0\0VERSION\n");
    assert_eq!(Header::decode(&datagram), Ok((header, &b"VERSION\n"[..])));
}

fn message() -> Message {
    Message::new(100)
}

#[test]
fn packets_in_any_order() {
    let packets = [(1, 0, "a"), (2, 0, "b"), (3, 3, "c")];
    for order in [
        [0, 1, 2],
        [0, 2, 1],
        [1, 0, 2],
        [1, 2, 0],
        [2, 0, 1],
        [2, 1, 0],
    ] {
        let mut message = message();
        for index in order {
            assert!(!message.is_complete());
            let (packet, total, data): (u16, u16, &str) = packets[index];
            assert_eq!(message.insert(packet, total, data.as_bytes()), Ok(true));
            assert_eq!(message.insert(packet, total, b"other"), Ok(false));
        }
        assert!(message.is_complete());
        assert_eq!(message.into_data(), b"abc");
    }
}

#[test]
fn a_duplicate_may_bring_the_total() {
    let mut message = message();
    assert_eq!(message.insert(1, 0, b"a"), Ok(true));
    assert!(!message.is_complete());
    assert_eq!(message.insert(1, 1, b"a"), Ok(false));
    assert!(message.is_complete());
}

#[test]
fn contradictions_are_ignored() {
    let mut message = message();
    for (packet, total, is_new) in [
        (0, 0, false),
        (3, 0, true),
        (1, 2, false),
        (2, 1, false),
        (4, 3, false),
        (1, 4, true),
        (2, 5, false),
        (5, 0, false),
        (2, 0, true),
        (4, 4, true),
    ] {
        let inserted = message.insert(packet, total, b"x");
        assert_eq!(inserted, Ok(is_new), "{packet} of {total}");
    }
    assert!(message.is_complete());
    assert_eq!(message.into_data(), b"xxxx");
}

#[test]
fn limits_of_messages() {
    let mut message = message();
    assert_eq!(message.insert(MAX_AHEAD + 1, 0, b"x"), Ok(false));
    assert_eq!(message.insert(MAX_AHEAD, 0, b"x"), Ok(true));
    assert_eq!(message.insert(1, 0, &[0; 99]), Ok(true));
    assert_eq!(message.insert(2, 0, b"x"), Err(TooLong));
    let mut message = Message::new(usize::MAX);
    for packet in 1..=u16::MAX {
        assert_eq!(message.insert(packet, 0, b"x"), Ok(true));
    }
    assert_eq!(message.insert(u16::MAX, u16::MAX, b"x"), Ok(false));
    assert!(message.is_complete());
    assert_eq!(message.into_data().len(), 65535);
}
