//! Serves pages, the API and the gateway on free ports of loopback, until SIGTERM.

use urikit_serve::{Config, GatewayConfig, ServeError, Server};

fn main() -> Result<(), ServeError> {
    let any = ([127, 0, 0, 1], 0).into();
    let mut config = Config {
        listen: vec![any],
        gateway: Some(GatewayConfig {
            listen: any,
            allow_private: std::env::args().any(|argument| argument == "--allow-private"),
            transfers: 1000,
            ..GatewayConfig::default()
        }),
        ..Config::default()
    };
    config.limits.requests_per_second = 0;
    config.limits.connections_per_client = 1100;
    let server = Server::bind(config)?;
    for address in server.addresses() {
        eprintln!("Listening on http://{address}/");
    }
    if let Some(address) = server.gateway_address() {
        eprintln!("Gateway on http://{address}/");
    }
    server.run()
}
