import {
  answer,
  arrives,
  asked,
  chunk,
  type EdgeCase,
  gets,
  goesOn,
  head,
  leave,
  reply,
  request,
  say,
  sees,
  serviceSees,
} from '../support/conversation/steps.ts';

const CHUNKED = 'Transfer-Encoding: chunked';
const CONTINUE = 'HTTP/1.1 100 Continue\r\n\r\n';
const ok = (body: string) => answer('200 OK', `Content-Length: ${body.length}`) + body;

/** Interim answers, answers before the end of their request, and answers in pieces. */
export const timingCases: readonly EdgeCase[] = [
  {
    name: 'interim answers come before the answer, as many as there are',
    over: 'both',
    steps: [
      say(request('GET /')),
      arrives(asked('GET /')),
      reply(head('HTTP/1.1 103 Early Hints', 'Link: </a.css>; rel=preload', 'Link: </b.js>')),
      gets(head('HTTP/1.1 103 Early Hints', 'Link: </a.css>; rel=preload', 'Link: </b.js>')),
      reply(head('HTTP/1.1 102 Processing') + ok('one')),
      gets(head('HTTP/1.1 102 Processing') + ok('one')),
      ...goesOn(),
    ],
  },
  {
    name: 'Expect: 100-continue is for the service to answer, and its 100 brings the body',
    over: 'both',
    steps: [
      say(request('POST /', 'Expect: 100-continue', 'Content-Length: 5')),
      arrives(asked('POST /', 'Expect: 100-continue', 'Content-Length: 5')),
      reply(CONTINUE),
      gets(CONTINUE),
      say('hello'),
      arrives('hello'),
      reply(ok('one')),
      gets(ok('one')),
      ...goesOn(),
    ],
  },
  ...['417 Expectation Failed', '413 Content Too Large'].map((status): EdgeCase => ({
    name: `Expect: 100-continue may be answered ${status}, and no body follows`,
    steps: [
      say(request('POST /', 'Expect: 100-continue', 'Content-Length: 5')),
      arrives(asked('POST /', 'Expect: 100-continue', 'Content-Length: 5')),
      reply(`${answer(status, 'Content-Length: 2')}no`),
      gets(`${answer(status, 'Content-Length: 2', 'Connection: close')}no`),
      sees('end'),
      serviceSees('cut'),
    ],
  })),
  {
    name: 'a visitor that waits for no 100 sends its body at once, and a service may never give one',
    over: 'both',
    steps: [
      say(`${request('POST /', 'Expect: 100-continue', 'Content-Length: 5')}hello`),
      arrives(`${asked('POST /', 'Expect: 100-continue', 'Content-Length: 5')}hello`),
      reply(ok('one')),
      gets(ok('one')),
      ...goesOn(),
    ],
  },
  {
    name: 'an answer that comes while the body is still coming reaches the visitor, which is then to go',
    steps: [
      say(`${request('POST /', 'Content-Length: 1000')}part`),
      arrives(`${asked('POST /', 'Content-Length: 1000')}part`),
      reply(`${answer('413 Content Too Large', 'Content-Length: 3')}big`),
      gets(`${answer('413 Content Too Large', 'Content-Length: 3', 'Connection: close')}big`),
      sees('end'),
      serviceSees('cut'),
    ],
  },
  {
    name: 'over HTTP/2 an answer that comes while the body is still coming ends its stream properly',
    over: 'HTTP/2',
    steps: [
      say(`${request('POST /', 'Content-Length: 1000')}part`),
      arrives(`${asked('POST /', 'Content-Length: 1000')}part`),
      reply(`${answer('413 Content Too Large', 'Content-Length: 3')}big`),
      gets(`${answer('413 Content Too Large', 'Content-Length: 3')}big`),
      sees('end'),
      serviceSees('cut'),
      ...goesOn(),
    ],
  },
  {
    name: 'Server-Sent Events arrive one by one, each as soon as it is sent',
    over: 'both',
    steps: [
      say(request('GET /events', 'Accept: text/event-stream')),
      arrives(asked('GET /events', 'Accept: text/event-stream')),
      reply(answer('200 OK', 'Content-Type: text/event-stream', 'Cache-Control: no-cache', CHUNKED)),
      gets(answer('200 OK', 'Content-Type: text/event-stream', 'Cache-Control: no-cache', CHUNKED)),
      ...['data: 1\n\n', ': ping\n\n', 'id: 7\ndata: \xe4\xbd\xa0\n\n'].flatMap((event) => [
        reply(chunk(event)),
        gets(chunk(event)),
      ]),
      leave(),
      serviceSees('end'),
    ],
  },
];
