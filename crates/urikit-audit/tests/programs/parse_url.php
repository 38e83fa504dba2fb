<?php
// What PHP's parse_url reads; see lines.py. With `--version`, its version.
if (($argv[1] ?? '') === '--version') {
    echo PHP_VERSION, "\n";
    exit;
}
$characters = ['n' => "\n", 'r' => "\r", 't' => "\t", '\\' => '\\'];
while (($line = fgets(STDIN)) !== false) {
    $text = preg_replace_callback('/\\\\(.)/', fn($found) => $characters[$found[1]], rtrim($line, "\n"));
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
    $components = [$url['scheme'] ?? null, $userinfo, $url['host'] ?? null, $port, $url['path'] ?? ''];
    $escape = fn($text) => $text === null ? '\\0' : addcslashes($text, "\\\n\r\t");
    echo implode("\t", array_map($escape, $components)), "\n";
}
