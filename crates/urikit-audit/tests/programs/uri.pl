# Reads URLs with Perl's URI; see lines.py. With `--version`, prints its version.
use strict;
use warnings;
use URI;

if (@ARGV) {
    print "$URI::VERSION\n";
    exit;
}
binmode STDIN, ':encoding(UTF-8)';
binmode STDOUT, ':encoding(UTF-8)';
my %character = (n => "\n", r => "\r", t => "\t", '\\' => '\\');
my %escape = ("\n" => '\\n', "\r" => '\\r', "\t" => '\\t', '\\' => '\\\\');

# Returns the result of a method, if the class for the scheme has this method.
sub ask {
    my ($uri, $method) = @_;
    return $uri->can($method) ? eval { $uri->$method } : undef;
}

while (my $line = <STDIN>) {
    chomp $line;
    $line =~ s/\\(.)/$character{$1}/g;
    my $uri = eval { URI->new($line) };
    if (!defined $uri) {
        print "rejected\n";
        next;
    }
    my $port = ask($uri, '_port');
    my ($userinfo, $host, $path) = map { ask($uri, $_) } qw(userinfo host path);
    my @components = ($uri->scheme, $userinfo, $host, $port, $path);
    $components[4] //= $uri->opaque;
    for (@components) {
        if (defined) { s/([\\\n\r\t])/$escape{$1}/g }
        else { $_ = '\\0' }
    }
    print join("\t", @components), "\n";
}
