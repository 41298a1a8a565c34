import {
  answer,
  arrives,
  asked,
  type EdgeCase,
  gets,
  getsPage,
  goesOn,
  head,
  leave,
  reply,
  request,
  say,
  sayEnd,
  sees,
  serviceEnds,
  serviceSees,
} from '../support/conversation/steps.ts';

const ASK = ['Connection: Upgrade', 'Upgrade: echo'];
const SWITCH = head('HTTP/1.1 101 Switching Protocols', 'Upgrade: echo', 'Connection: Upgrade');
/** The Upgrade of a request stands behind what the relay adds. */
const ASKED = asked('GET /').replace('Connection: keep-alive', 'Connection: Upgrade\r\nUpgrade: echo');

/** Connections that become something else, or do not. */
export const upgradeCases: readonly EdgeCase[] = [
  {
    name: 'after an upgrade bytes of any meaning go both ways, and each side ends for itself',
    steps: [
      say(request('GET /', ...ASK)),
      arrives(ASKED),
      reply(SWITCH),
      gets(SWITCH),
      say('\0\r\n\r\nGET / HTTP/1.1\r\n\xff'),
      arrives('\0\r\n\r\nGET / HTTP/1.1\r\n\xff'),
      reply('HTTP/1.1 400 Bad\r\n\r\n\xfe'),
      gets('HTTP/1.1 400 Bad\r\n\r\n\xfe'),
      sayEnd(),
      serviceSees('end'),
      reply('last words'),
      gets('last words'),
      serviceEnds('end'),
      sees('end'),
    ],
  },
  {
    name: 'what either side sends without waiting belongs to the other protocol',
    steps: [
      say(`${request('GET /', ...ASK)}early`),
      arrives(ASKED),
      reply(`${SWITCH}first`),
      gets(`${SWITCH}first`),
      arrives('early'),
      serviceEnds('end'),
      sees('end'),
      say('still'),
      arrives('still'),
      sayEnd(),
      serviceSees('end'),
    ],
  },
  {
    name: 'an upgrade that is refused is an answer like any other, and the next request is one again',
    steps: [
      say(request('GET /', ...ASK)),
      arrives(ASKED),
      reply(`${answer('200 OK', 'Content-Length: 2')}no`),
      gets(`${answer('200 OK', 'Content-Length: 2')}no`),
      ...goesOn(),
    ],
  },
  {
    name: 'one of several protocols may be chosen, in any spelling',
    steps: [
      say(request('GET /', 'Connection: keep-alive, upgrade', 'Upgrade: echo, Websocket')),
      arrives(asked('GET /').replace('Connection: keep-alive', 'Connection: Upgrade\r\nUpgrade: echo, Websocket')),
      reply(SWITCH.replace('echo', 'WebSocket')),
      gets(SWITCH.replace('echo', 'WebSocket')),
      leave(),
      serviceSees('cut'),
    ],
  },
  ...Object.entries({
    'that nobody asked for': [request('GET /'), asked('GET /'), SWITCH],
    'to another protocol': [request('GET /', ...ASK), ASKED, SWITCH.replace('echo', 'other')],
    'to nothing': [request('GET /', ...ASK), ASKED, head('HTTP/1.1 101 Switching Protocols', 'Connection: Upgrade')],
  }).map(([what, [sent = '', expected = '', said = '']]): EdgeCase => ({
    name: `an upgrade ${what} is a bad answer`,
    steps: [
      say(sent),
      arrives(expected),
      reply(said),
      getsPage(502, { goesOn: true }),
      serviceSees('end'),
      ...goesOn(),
    ],
  })),
  {
    name: 'an upgrade on an idle connection that the service closes at this moment is asked for again',
    steps: [
      ...goesOn(),
      say(`${request('GET /', ...ASK)}early`),
      arrives(ASKED),
      serviceEnds('cut'),
      arrives(ASKED),
      reply(SWITCH),
      gets(SWITCH),
      arrives('early'),
      leave(),
      serviceSees('cut'),
    ],
  },
  {
    name: 'an upgraded connection that one side breaks off is broken off for the other one',
    steps: [
      say(request('GET /', ...ASK)),
      arrives(ASKED),
      reply(SWITCH),
      gets(SWITCH),
      serviceEnds('cut'),
      sees('cut'),
    ],
  },
];
