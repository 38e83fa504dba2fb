<?php
// Reads URLs with PHP's parse_url; see lines.py. With `--version`, prints its version.
if (($argv[1] ?? '') === '--version') {
    echo PHP_VERSION, "\n";
    exit;
}
$characters = ['n' => "\n", 'r' => "\r", 't' => "\t", '\\' => '\\'];
while (($line = fgets(STDIN)) !== false) {
    $character = fn($found) => $characters[$found[1]];
    $text = preg_replace_callback('/\\\\(.)/', $character, rtrim($line, "\n"));
    $url = parse_url($text);
    if ($url === false) {
        echo "rejected\n";
        continue;
    }
    $userinfo = $url['user'] ?? null;
    if (isset($url['pass'])) {
        $userinfo .= ':' . $url['pass'];
    }
    $port = isset($url['port']) ? (string) $url['port'] : null;
    [$scheme, $host] = [$url['scheme'] ?? null, $url['host'] ?? null];
    $components = [$scheme, $userinfo, $host, $port, $url['path'] ?? ''];
    $escape = fn($text) => $text === null ? '\\0' : addcslashes($text, "\\\n\r\t");
    echo implode("\t", array_map($escape, $components)), "\n";
}
