import { noNamespaces } from '@tongtu/agent/testing/lan-link';
import { aria2Program } from '@tongtu/gateway/testing/aria2';
import { hasVncTerminal } from '@tongtu/gateway/testing/vnc-server';
import { afterAll, beforeAll, beforeEach, describe } from 'vitest';
import { testDesktops } from './cloud/desktops.ts';
import { testDiscovery } from './cloud/discovery.ts';
import { testDownloads } from './cloud/downloads.ts';
import { testFiles } from './cloud/files.ts';
import { closeOtherPages, leaveTopic, openStage, type Stage } from './cloud/stage.ts';
import { testTerminals } from './cloud/terminals.ts';
import { testWaking } from './cloud/waking.ts';
import { saveLogOnFailure } from './support/artefacts.ts';
import { savePageOnFailure } from './support/browser/browser.ts';

// Cloud apps, and LAN discovery: what an owner reaches in the network of a device. All topics share one product and one
// page, and each leaves the account as it found it.

// A LAN is a network namespace, which only root may make.
const topics = [
  { name: 'terminals', isMissing: false, testTopic: testTerminals },
  { name: 'files', isMissing: false, testTopic: testFiles },
  { name: 'downloads', isMissing: aria2Program === undefined, testTopic: testDownloads },
  { name: 'remote desktops', isMissing: !hasVncTerminal, testTopic: testDesktops },
  { name: `with a sleeping machine in a LAN${noNamespaces}`, isMissing: noNamespaces !== '', testTopic: testWaking },
  { name: `LAN discovery${noNamespaces}`, isMissing: noNamespaces !== '', testTopic: testDiscovery },
];

if (aria2Program === undefined) console.log('Without aria2c the tests of downloads are skipped.');
if (!hasVncTerminal) console.log('Without TigerVNC and xterm the tests of remote desktops are skipped.');

let stage: Stage;

beforeAll(async () => {
  stage = await openStage();
});

afterAll(async () => {
  await stage?.[Symbol.asyncDispose]();
});

beforeEach(async ({ task }) => {
  const artefact = `cloud-${task.name.slice(0, 30).replaceAll(' ', '-')}`;
  saveLogOnFailure(artefact, stage.product.child);
  savePageOnFailure(artefact, () => [...stage.owner.pages(), ...stage.phone.pages()].at(-1));
  await closeOtherPages(stage);
});

for (const { name, isMissing, testTopic } of topics) {
  describe.skipIf(isMissing)(name, () => {
    testTopic(() => stage);

    // The last hook runs first: the page is left before the topic ends its services.
    afterAll(async () => await leaveTopic(stage));
  });
}
