import { expect, test } from 'vitest';
import { socketUrl } from './socket-url.ts';

test.each([
  ['https://home.example/#/apps/3', 'wss://home.example/apps/9/terminal'],
  ['http://192.168.1.2:8080/?a=1#/apps/3', 'ws://192.168.1.2:8080/apps/9/terminal'],
])('the WebSocket of the page %s is %s', (page, url) => {
  expect(socketUrl('/apps/9/terminal', page)).toBe(url);
});
