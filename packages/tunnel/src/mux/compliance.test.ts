import { duplexPair } from 'node:stream';
import { describeCompliance } from '../testing/compliance.ts';
import { createLibp2pMux } from '../testing/libp2p-mux.ts';
import { createOurMux } from '../testing/our-mux.ts';

describeCompliance('our client and our server', () => {
  const [near, far] = duplexPair();
  const client = createOurMux(near, 'client');
  const server = createOurMux(far, 'server');
  return { client, server, close: () => client.close() };
});

describeCompliance('our client and the server of js-libp2p', () => {
  const server = createLibp2pMux('server');
  const client = createOurMux(server.socket, 'client');
  return { client, server, close: () => server.close() };
});

describeCompliance('the client of js-libp2p and our server', () => {
  const client = createLibp2pMux('client');
  const server = createOurMux(client.socket, 'server');
  return { client, server, close: () => client.close() };
});
