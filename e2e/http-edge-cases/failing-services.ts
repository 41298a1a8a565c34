import {
  answer,
  arrives,
  asked,
  chunk,
  type EdgeCase,
  type Ending,
  gets,
  getsPage,
  goesOn,
  head,
  reply,
  request,
  say,
  sees,
  serviceEnds,
  serviceSees,
} from '../support/conversation/steps.ts';

const CHUNKED = 'Transfer-Encoding: chunked';
const DATE = 'Date: Sat, 21 Nov 2026 08:00:00 GMT';
const OK = answer('200 OK', 'Content-Length: 2');
const first = [say(request('GET /first')), arrives(asked('GET /first')), reply(`${OK}ok`), gets(`${OK}ok`)];

/** Ambiguous heads of answers. */
const BAD_ANSWERS: Record<string, string> = {
  garbage: '\x16\x03\x01\x02\x00garbage\r\n\r\n',
  'a greeting of another protocol': 'SSH-2.0-OpenSSH_9.2\r\n\r\n',
  'HTTP/0.9': '<html>hello</html>\r\n\r\n',
  'a status of two digits': head('HTTP/1.1 20 OK', 'Content-Length: 0'),
  'two lengths': answer('200 OK', 'Content-Length: 2', 'Content-Length: 3'),
  'a negative length': answer('200 OK', 'Content-Length: -2'),
  'a length and chunks in HTTP/1.0': head('HTTP/1.0 200 OK', 'Content-Length: 2', CHUNKED),
  'an unknown coding': answer('200 OK', 'Transfer-Encoding: gzip, chunked'),
  'a hidden coding': answer('200 OK', `X-A: 1\r${CHUNKED}`, 'Content-Length: 0'),
  'a NUL in a field': answer('200 OK', 'X-A: 1\0', 'Content-Length: 0'),
  'a head that is too long': answer('200 OK', `X-A: ${'a'.repeat(70_000)}`, 'Content-Length: 0'),
  'a chunk size that is no number': `${answer('200 OK', CHUNKED)}x\r\n`,
};

/** Answers of old devices, as a visitor gets them, with `hello` in the body. */
const REPAIRED: Record<string, readonly [said: string, gets: string]> = {
  'bare LFs': [
    answer('200 OK', 'Content-Length: 5').replaceAll('\r\n', '\n'),
    head('HTTP/1.1 200 OK', 'Content-Length: 5', DATE),
  ],
  'HTTP/2 in the status line': [
    answer('200 OK', 'Content-Length: 5').replace('1.1', '2'),
    head('HTTP/1.1 200 OK', 'Content-Length: 5', DATE),
  ],
  'the same length twice': [
    answer('200 OK', 'Content-Length: 5', 'Content-Length: 5'),
    head('HTTP/1.1 200 OK', 'Content-Length: 5', DATE),
  ],
  'a folded field': [
    answer('200 OK', 'X-A: 1', ' 2', 'Content-Length: 5'),
    head('HTTP/1.1 200 OK', 'Content-Length: 5', DATE, 'X-A: 1 2'),
  ],
  'a space before a colon': [
    answer('200 OK', 'X-A : 1', 'Content-Length: 5'),
    head('HTTP/1.1 200 OK', 'Content-Length: 5', DATE, 'X-A: 1'),
  ],
};

/** Services that answer something wrong, too much, too little, or nothing. */
export const failingServiceCases: readonly EdgeCase[] = [
  ...Object.entries(BAD_ANSWERS).map(([what, said]): EdgeCase => ({
    name: `a service that answers with ${what} gets an error page`,
    over: 'both',
    steps: [
      say(request('GET /')),
      arrives(asked('GET /')),
      reply(said),
      getsPage(502, { goesOn: true }),
      serviceSees('end'),
      ...goesOn(),
    ],
  })),
  ...Object.entries(REPAIRED).map(([what, [said, got]]): EdgeCase => ({
    name: `an answer with ${what} is read as browsers read it, and its connection is not used again`,
    steps: [
      say(request('GET /')),
      arrives(asked('GET /')),
      reply(`${said}hello`),
      gets(`${got}hello`),
      serviceSees('end'),
      ...goesOn(),
    ],
  })),
  ...(['end', 'cut'] as const).flatMap((ending): EdgeCase[] => [
    {
      name: `a service that closes without an answer (${ending}) gets an error page`,
      over: 'both',
      steps: [
        say(request('GET /')),
        arrives(asked('GET /')),
        serviceEnds(ending),
        getsPage(502, { goesOn: true }),
        ...goesOn(),
      ],
    },
    {
      name: `a service that closes in the middle of its head (${ending}) gets an error page`,
      over: 'both',
      steps: [
        say(request('GET /')),
        arrives(asked('GET /')),
        reply('HTTP/1.1 200 OK\r\nContent-Le'),
        serviceEnds(ending),
        getsPage(502, { goesOn: true }),
        ...goesOn(),
      ],
    },
    {
      name: `an idle connection that the service closes (${ending}) as the next request comes is replaced for a GET`,
      over: 'both',
      steps: [
        ...first,
        say(request('GET /second')),
        arrives(asked('GET /second')),
        serviceEnds(ending),
        arrives(asked('GET /second')),
        reply(`${OK}ok`),
        gets(`${OK}ok`),
      ],
    },
    {
      name: `a POST that an idle connection is closed on (${ending}) may have been done, so it is not sent again`,
      over: 'both',
      steps: [
        ...first,
        say(`${request('POST /second', 'Content-Length: 2')}hi`),
        arrives(`${asked('POST /second', 'Content-Length: 2')}hi`),
        serviceEnds(ending),
        getsPage(502, { goesOn: true }),
        ...goesOn(),
      ],
    },
    {
      name: `a PUT whose body was already sent (${ending}) is not sent again`,
      steps: [
        ...first,
        say(`${request('PUT /second', 'Content-Length: 2')}hi`),
        arrives(`${asked('PUT /second', 'Content-Length: 2')}hi`),
        serviceEnds(ending),
        getsPage(502, { goesOn: true }),
      ],
    },
    {
      name: `a GET on a fresh connection that is closed (${ending}) is not sent again`,
      steps: [say(request('GET /')), arrives(asked('GET /')), serviceEnds(ending), getsPage(502, { goesOn: true })],
    },
  ]),
  ...incomplete('end', 'end'),
  ...incomplete('cut', 'cut'),
  ...incomplete('end', 'cut', 'HTTP/2'),
  ...incomplete('cut', 'cut', 'HTTP/2'),
  ...(['end', 'cut'] as const).map((ending): EdgeCase => ({
    name: `a whole answer reaches the visitor though the service goes at once (${ending})`,
    over: 'both',
    steps: [
      say(request('GET /')),
      arrives(asked('GET /')),
      reply(answer('200 OK', 'Content-Length: 100000') + 'x'.repeat(100_000)),
      serviceEnds(ending),
      gets(answer('200 OK', 'Content-Length: 100000') + 'x'.repeat(100_000)),
      ...goesOn(),
    ],
  })),
  ...['HEAD', 'OPTIONS', 'PUT', 'DELETE', 'PROPFIND', 'REPORT'].map((method): EdgeCase => ({
    name: `${method} without a body may be sent twice, so it is sent again`,
    steps: [
      ...first,
      say(request(`${method} /second`)),
      arrives(asked(`${method} /second`)),
      serviceEnds('cut'),
      arrives(asked(`${method} /second`)),
      reply(answer('204 No Content')),
      gets(answer('204 No Content')),
    ],
  })),
  ...['POST', 'PATCH', 'MOVE', 'MKCOL', 'LOCK'].map((method): EdgeCase => ({
    name: `${method} may not be sent twice, so it is not sent again even without a body`,
    over: 'both',
    steps: [
      ...first,
      say(request(`${method} /second`, 'Content-Length: 0')),
      arrives(asked(`${method} /second`, 'Content-Length: 0')),
      serviceEnds('cut'),
      getsPage(502, { goesOn: true }),
    ],
  })),
  {
    name: 'a request is sent again once and no more',
    steps: [
      ...first,
      say(request('GET /second')),
      arrives(asked('GET /second')),
      serviceEnds('cut'),
      arrives(asked('GET /second')),
      serviceEnds('cut'),
      getsPage(502, { goesOn: true }),
    ],
  },
  {
    name: 'a GET that was answered in part is not sent again',
    steps: [
      ...first,
      say(request('GET /second')),
      arrives(asked('GET /second')),
      reply(head('HTTP/1.1 103 Early Hints')),
      gets(head('HTTP/1.1 103 Early Hints')),
      serviceEnds('cut'),
      getsPage(502, { goesOn: true }),
    ],
  },
  {
    name: 'an idle connection that the service has closed serves nobody any more',
    over: 'both',
    steps: [...first, serviceEnds('end'), serviceSees('cut'), ...goesOn()],
  },
  {
    name: 'bytes behind an answer reach nobody, and their connection is not used again',
    over: 'both',
    steps: [
      say(request('GET /')),
      arrives(asked('GET /')),
      reply(`${OK}ok${answer('200 OK', 'Content-Length: 4')}evil`),
      gets(`${OK}ok`),
      serviceSees('end'),
      ...goesOn(),
    ],
  },
  {
    name: 'bytes behind an answer to HEAD reach nobody',
    steps: [
      say(request('HEAD /')),
      arrives(asked('HEAD /')),
      reply(`${OK}ok`),
      gets(OK),
      serviceSees('end'),
      ...goesOn(),
    ],
  },
  {
    name: 'an answer that nobody asked for is not kept for the next request',
    over: 'both',
    steps: [...first, reply(`${answer('200 OK', 'Content-Length: 4')}evil`), serviceSees('cut'), ...goesOn()],
  },
  {
    name: 'an answer that goes wrong in the middle is cut for the visitor',
    over: 'both',
    steps: [
      say(request('GET /')),
      arrives(asked('GET /')),
      reply(answer('200 OK', CHUNKED) + chunk('good')),
      gets(answer('200 OK', CHUNKED) + chunk('good')),
      reply('no size\r\n'),
      sees('cut'),
      serviceSees('end'),
    ],
  },
];

/** The framing shows an HTTP/1 visitor that the answer is incomplete. HTTP/2 needs a reset. */
function incomplete(ending: Ending, seen: Ending, over?: 'HTTP/2'): EdgeCase[] {
  const bodies = {
    'a body that is shorter than its length': `${answer('200 OK', 'Content-Length: 10')}half`,
    'a chunked body without its last chunk': answer('200 OK', CHUNKED) + chunk('half'),
  };
  return Object.entries(bodies).map(([what, text]): EdgeCase => ({
    name: `${what} (${ending}) is incomplete for the visitor (${seen})`,
    ...(over !== undefined && { over }),
    steps: [say(request('GET /')), arrives(asked('GET /')), reply(text), gets(text), serviceEnds(ending), sees(seen)],
  }));
}
