/** How a connection ended: properly, or by a reset, after which the data may be incomplete. */
export type Ending = 'end' | 'cut';
/** The two LAN services of the stage, each with its own mapping. */
export type ServiceName = 'first' | 'second';

/** One step of a conversation between a visitor and LAN services. Texts are latin1, so every byte can be written down. */
export type Step =
  | { type: 'visitor says'; text: string }
  | { type: 'visitor ends' }
  | { type: 'visitor leaves' }
  | { type: 'service gets'; text: string; service: ServiceName }
  | { type: 'service says'; text: string }
  | { type: 'service ends'; ending: Ending }
  | { type: 'service sees'; ending: Ending }
  | { type: 'visitor gets'; text: string }
  | { type: 'visitor gets a page'; status: number; goesOn: boolean }
  | { type: 'visitor sees'; ending: Ending };

export type EdgeCase = {
  /** Ends the sentence "through the tunnel, …". */
  name: string;
  /** `both`: an HTTP/2 visitor says and gets the same, in that protocol's terms. Absent: an HTTP/1.1 visitor only. */
  over?: 'both' | 'HTTP/2';
  /** The mapping that an HTTP/2 connection is made for. Absent: the first. */
  host?: 'first' | 'rewriting';
  steps: readonly Step[];
};

/** The visitor sends these bytes. `{host}` and `{second}` stand for the Host fields of the two mappings. */
export const say = (text: string): Step => ({ type: 'visitor says', text });
/** The visitor ends its side and still reads. */
export const sayEnd = (): Step => ({ type: 'visitor ends' });
/** The visitor resets the connection. */
export const leave = (): Step => ({ type: 'visitor leaves' });
/** The service receives exactly these bytes next. */
export const arrives = (text: string, service: ServiceName = 'first'): Step => ({
  type: 'service gets',
  text,
  service,
});
/** The service sends these bytes on the connection that received bytes last. */
export const reply = (text: string): Step => ({ type: 'service says', text });
export const serviceEnds = (ending: Ending): Step => ({ type: 'service ends', ending });
/** The service's connection is closed by the product. */
export const serviceSees = (ending: Ending): Step => ({ type: 'service sees', ending });
/** The visitor receives exactly these bytes next. `{now}` stands for a date. */
export const gets = (text: string): Step => ({ type: 'visitor gets', text });
/** A complete local response comes next. `goesOn`: the connection may carry another request. */
export const getsPage = (status: number, { goesOn }: { goesOn: boolean } = { goesOn: false }): Step => ({
  type: 'visitor gets a page',
  status,
  goesOn,
});
export const sees = (ending: Ending): Step => ({ type: 'visitor sees', ending });

/** Lines of a head, each with its CRLF, and the empty one. */
export const head = (...lines: string[]): string => `${lines.join('\r\n')}\r\n\r\n`;

/** A request for the first mapping: `request('GET /', 'X-A: 1')`. */
export const request = (line: string, ...fields: string[]): string =>
  head(`${line} HTTP/1.1`, 'Host: {host}', ...fields);

/** That request as the service receives it. `{added}` stands for the fields that the relay adds. */
export const asked = (line: string, ...fields: string[]): string => askedOf('{host}', line, ...fields);

export const askedOf = (host: string, line: string, ...fields: string[]): string =>
  head(`${line} HTTP/1.1`, `Host: ${host}`, ...fields, `{added ${host}}`, 'Connection: keep-alive');

/** The head of an answer with a Date, which is then the same on both sides: `answer('200 OK', 'Content-Length: 2')`. */
export const answer = (status: string, ...fields: string[]): string =>
  head(`HTTP/1.1 ${status}`, 'Date: Sat, 21 Nov 2026 08:00:00 GMT', ...fields);

/** A chunk of a body. */
export const chunk = (payload: string, extension = ''): string =>
  `${payload.length.toString(16)}${extension}\r\n${payload}\r\n`;

export const LAST_CHUNK = '0\r\n\r\n';

/** A normal request and answer in four steps, to check that the connection still works. */
export const goesOn = (): Step[] => [
  say(request('GET /after')),
  arrives(asked('GET /after')),
  reply(`${answer('200 OK', 'Content-Length: 5')}after`),
  gets(`${answer('200 OK', 'Content-Length: 5')}after`),
];
