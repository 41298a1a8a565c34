/** The protocols of services that speak first. */
const greetings: readonly (readonly [RegExp, string])[] = [
  [/^SSH-[\d.]+-/, 'SSH'],
  [/^RFB \d{3}\./, 'VNC'],
  [/^220[ -].*ftp/i, 'FTP'],
  [/^220[ -]/, 'SMTP'],
  [/^\+OK/, 'POP3'],
  [/^\* OK/, 'IMAP'],
  [/^@RSYNCD:/, 'rsync'],
  [/^.{3}\0\n(?:\d|5\.5\.5-)|mysql_native_password|caching_sha2_password|MariaDB/s, 'MySQL'],
  [/^\xff[\xfb-\xfe]/, 'Telnet'],
];

/** What a service says it is. */
export function greetingName(greeting: string): string {
  return greetings.find(([pattern]) => pattern.test(greeting))?.[1] ?? '其他协议的服务';
}
