#!/usr/bin/env perl
use strict;
use warnings;
use JSON::PP;
$| = 1;
my $n = 0;
my $json = JSON::PP->new->canonical;
while (my $line = <STDIN>) {
  my $request = $json->decode($line);
  next unless exists $request->{id};
  my ($method, $tool, $args) = ($request->{method}, $request->{params}{name} // '', $request->{params}{args});
  my %answer =
      $method eq 'describe' ? (result => { name => 'tea', tools => [map { { name => $_ } } qw(add count sleep)] })
    : $method ne 'call'     ? (error => { code => -32601, message => 'no such method' })
    : $tool eq 'count'      ? (result => { output => { n => ++$n } })
    : $tool eq 'sleep'      ? (result => sleep 60)
    : defined $args->{a}    ? (result => { output => { sum => $args->{a} + $args->{b} } })
    :                         (result => { success => JSON::PP::false, error => 'a is missing' });
  print $json->encode({ jsonrpc => '2.0', id => $request->{id}, %answer }), "\n";
}
