import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { must } from '@tongtu/base';
import { upgradeProof } from '@tongtu/tunnel';
import { expect, test } from 'vitest';
import { makeTemporaryFolder } from '../testing/temporary-folder.ts';
import { UpgradeFolder } from './upgrade-folder.ts';

const { privateKey, publicKey } = generateKeyPairSync('ed25519');
const upgradeKey = must(publicKey.export({ format: 'jwk' }).x, 'key');
const agent = Buffer.from('console.log("newer")');

function offerOf(version: string, bytes = agent, key = privateKey) {
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  return { version, sha256, signature: sign(null, upgradeProof({ version, sha256 }), key).toString('base64url') };
}

test('a signed newer agent is tried once, and kept after it was online for long enough', async () => {
  await using state = await makeTemporaryFolder();
  const folder = new UpgradeFolder(state.path, upgradeKey);
  await folder.stage(agent, offerOf('0.2.0'), '0.1.0');
  const trial = must(await folder.takeForStart('0.1.0'), 'the trial');
  expect(trial.isTrial).toBe(true);
  expect(await readFile(trial.file)).toEqual(agent);
  await folder.confirm();
  await folder.endProbation();
  expect(await folder.takeForStart('0.1.0')).toEqual({ file: trial.file, isTrial: false });
  expect(await folder.takeForStart('0.1.0')).toEqual({ file: trial.file, isTrial: false });
  // Installed anew by hand, in the same or a newer version: that one runs.
  expect(await folder.takeForStart('0.2.0')).toBeUndefined();
});

test('a trial that was never online is not started again', async () => {
  await using state = await makeTemporaryFolder();
  const folder = new UpgradeFolder(state.path, upgradeKey);
  await folder.stage(agent, offerOf('0.2.0'), '0.1.0');
  await folder.takeForStart('0.1.0');
  expect(await folder.takeForStart('0.1.0')).toBeUndefined();
  expect(await folder.takeForStart('0.1.0')).toBeUndefined();
  await folder.stage(agent, offerOf('0.2.1'), '0.1.0');
  expect(await folder.takeForStart('0.1.0')).toMatchObject({ isTrial: true });
  expect((await readdir(path.join(state.path, 'upgrade'))).toSorted()).toEqual([
    'tongtu-agent-0.2.1.mjs',
    'upgrade.json',
  ]);
});

test('after a trial that was never online the last one that was starts again', async () => {
  await using state = await makeTemporaryFolder();
  const folder = new UpgradeFolder(state.path, upgradeKey);
  await folder.stage(agent, offerOf('0.2.0'), '0.1.0');
  const good = must(await folder.takeForStart('0.1.0'), 'the trial').file;
  await folder.confirm();
  await folder.endProbation();
  for (const version of ['0.3.0', '0.4.0']) {
    await folder.stage(agent, offerOf(version), '0.2.0');
    expect(await folder.takeForStart('0.1.0')).toMatchObject({ isTrial: true });
    expect(await folder.takeForStart('0.1.0')).toEqual({ file: good, isTrial: false });
    expect(await folder.takeForStart('0.1.0')).toEqual({ file: good, isTrial: false });
  }
  // Staged a second time before its start: the last good one is still known.
  await folder.stage(agent, offerOf('0.5.0'), '0.2.0');
  await folder.stage(agent, offerOf('0.5.1'), '0.2.0');
  await folder.takeForStart('0.1.0');
  await writeFile(good, 'damaged');
  expect(await folder.takeForStart('0.1.0')).toBeUndefined();
});

test('a trial that ends soon after it was online is not started again', async () => {
  await using state = await makeTemporaryFolder();
  const rolledBack: string[] = [];
  const folder = new UpgradeFolder(state.path, upgradeKey, (version) => rolledBack.push(version));
  await folder.stage(agent, offerOf('0.2.0'), '0.1.0');
  await folder.takeForStart('0.1.0');
  await folder.confirm();

  expect(await folder.takeForStart('0.1.0')).toBeUndefined();
  expect(await folder.takeForStart('0.1.0')).toBeUndefined();
  expect(rolledBack).toEqual(['0.2.0']);
});

test('an agent on probation that upgrades is not what a failed upgrade goes back to', async () => {
  await using state = await makeTemporaryFolder();
  const folder = new UpgradeFolder(state.path, upgradeKey);
  await folder.stage(agent, offerOf('0.2.0'), '0.1.0');
  await folder.takeForStart('0.1.0');
  await folder.confirm();
  await folder.stage(agent, offerOf('0.3.0'), '0.2.0');
  await folder.takeForStart('0.1.0');

  expect(await folder.takeForStart('0.1.0')).toBeUndefined();
});

test.each(['before it was online', 'soon after it was online'])(
  'a trial that is stopped %s is tried again',
  async (when) => {
    await using state = await makeTemporaryFolder();
    const folder = new UpgradeFolder(state.path, upgradeKey);
    await folder.stage(agent, offerOf('0.2.0'), '0.1.0');
    await folder.takeForStart('0.1.0');
    if (when.startsWith('soon')) await folder.confirm();
    await folder.tryAgain();

    expect(await folder.takeForStart('0.1.0')).toMatchObject({ isTrial: true });
    expect(await folder.takeForStart('0.1.0')).toBeUndefined();
  },
);

test.each([
  ['the signature of another key', offerOf('0.2.0', agent, generateKeyPairSync('ed25519').privateKey), 'bad-signature'],
  ['the signature of another version', { ...offerOf('0.1.9'), version: '0.2.0' }, 'bad-signature'],
  ['other bytes', offerOf('0.2.0', Buffer.from('other')), 'bad-hash'],
  ['the running version', offerOf('0.1.0'), 'not-newer'],
  ['an older version', offerOf('0.0.9'), 'not-newer'],
])('an offer with %s is refused', async (_what, offer, reason) => {
  await using state = await makeTemporaryFolder();
  const folder = new UpgradeFolder(state.path, upgradeKey);
  await expect(folder.stage(agent, offer, '0.1.0')).rejects.toThrow(reason);
  expect(await folder.takeForStart('0.1.0')).toBeUndefined();
});

test('a file that was changed on the disk is not started', async () => {
  await using state = await makeTemporaryFolder();
  const folder = new UpgradeFolder(state.path, upgradeKey);
  await folder.stage(agent, offerOf('0.2.0'), '0.1.0');
  await writeFile(path.join(state.path, 'upgrade/tongtu-agent-0.2.0.mjs'), 'malware');
  expect(await folder.takeForStart('0.1.0')).toBeUndefined();
});
