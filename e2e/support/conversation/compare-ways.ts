import assert from 'node:assert/strict';
import { exchangeRaw } from '../clients/raw-http.ts';
import type { Protocol, Stage } from './stage.ts';

const DATE = /^Date: .*\r$/gm;
const CONNECTION = /^Connection: ([a-z-]+)\r\n/gm;

export type Site = { prefix: string; port: number };

/**
 * Sends a request to a web server directly and through the product. Throws if the answers differ in more than Date,
 * the fields of the connection, and the address of a redirect to the server itself. `{site}` stands for the Host.
 */
export async function compareWays(
  stage: Stage,
  { prefix, port }: Site,
  { text, protocol }: { text: string; protocol: Protocol },
): Promise<void> {
  const visitor = await stage.connect(protocol, prefix);
  const { ports } = stage.product;
  const publicHost = `${prefix}.localhost:${visitor.scheme === 'http' ? ports.http : ports.tls}`;
  const request = text.replaceAll('{site}', publicHost);
  // Of the same length, so that lengths agree.
  const [straight, through] = [`straight-${visitor.scheme}`, `-through-${visitor.scheme}`];
  try {
    const answer = await exchangeRaw(port, Buffer.from(request.replaceAll('{way}', straight), 'latin1'));
    assert.match(answer, /^HTTP\/1\.1 /);
    visitor.say(request.replaceAll('{way}', through));
    const passedOn = asPassedOn(answer)
      .replaceAll(straight, through)
      .replaceAll(`http://${prefix}.localhost:${port}`, `${visitor.scheme}://${publicHost}`);
    const { actual, expected } = await visitor.receive(passedOn);
    assert.equal(actual, expected);
    assert.equal(visitor.unread, '');
    assert.equal(await visitor.receiveEnding(), 'end');
  } finally {
    visitor.leave();
  }
}

/** The relay adds its Connection field after all other fields. */
function asPassedOn(answer: string): string {
  return answer
    .split(/(?=HTTP\/1\.1 [0-9]{3} )/)
    .map((message) => {
      const end = message.indexOf('\r\n\r\n') + 2;
      const head = message.slice(0, end).replace(DATE, 'Date: {now}\r');
      const said = [...head.matchAll(CONNECTION)].map(([, option]) => option);
      const line = said.includes('close') ? 'Connection: close\r\n' : '';
      return head.replace(CONNECTION, '') + line + message.slice(end);
    })
    .join('');
}
