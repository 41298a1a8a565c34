import { randomBytes } from 'node:crypto';
import { access, mkdir, mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { CloudApp, type Device } from '@tongtu/contract';
import { apacheProgram, startApache } from '@tongtu/gateway/testing/apache';
import { smbdProgram, startSamba } from '@tongtu/gateway/testing/samba';
import type { BrowserContext, Download, Locator, Page, Response } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { clickForMessage, openAnew, watchErrors } from '../support/browser/browser.ts';
import type { ApiClient } from '../support/clients/api-client.ts';
import type { Product } from '../support/product/product.ts';
import { seriousBarriers } from '../support/screens/accessibility.ts';
import { horizontalOverflow, untranslatedText } from '../support/screens/page-quality.ts';
import { makeVideo } from '../support/make-video.ts';
import { type SshServer, startSshServer } from '../support/services/ssh-server.ts';
import { saveScreenshots, type Stage } from './stage.ts';

/** Enough for a pause and a cut in the middle. */
const largeBytes = Number(process.env['UPLOAD_BYTES'] ?? 32_000_000);

/** A PNG of one pixel. */
const onePixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

export function testFiles(stage: () => Stage): void {
  let product: Product;
  let folder: string;
  let ssh: SshServer;
  let client: ApiClient;
  let device: Device;
  let app: CloudApp;
  let profile: BrowserContext;
  let page: Page;
  let errors: string[];

  beforeAll(async () => {
    ({ product, client, device, owner: profile, page } = stage());
    folder = await mkdtemp(path.join(tmpdir(), 'tongtu-files-'));
    ssh = await startSshServer(folder);
    await createFiles();
    errors = watchErrors(page);
  });

  afterAll(async () => {
    await ssh?.[Symbol.asyncDispose]();
    await rm(folder, { recursive: true, force: true });
  });

  async function createApp(app: object): Promise<CloudApp> {
    const reply = await client.call('POST', '/api/user/cloud_apps/', { router: device.id, host: '127.0.0.1', ...app });
    return CloudApp.parse(reply.json);
  }

  const onTarget = (name: string) => path.join(folder, 'nas', name);

  async function createFiles(): Promise<void> {
    await mkdir(onTarget('照片/2026 春天'), { recursive: true });
    await mkdir(onTarget('空文件夹'));
    await writeFile(onTarget('说明.txt'), '第一行\r\n第二行\r\n');
    await writeFile(onTarget('照片/海.txt'), '海');
    await writeFile(onTarget('很长的名称'.repeat(15)), 'x');
    await writeFile(Buffer.concat([Buffer.from(`${onTarget('')}/`), Buffer.from([0x62, 0xff, 0xfe])]), 'x');
    // 旧文件.txt in GBK, and its content.
    const gbkName = Buffer.concat([Buffer.from(`${onTarget('')}/`), Buffer.from('bec9cec4bcfe2e747874', 'hex')]);
    await writeFile(gbkName, Buffer.from('d3c32047424b20d0b4b5c4', 'hex'));
    await mkdir(path.join(folder, 'many'));
    await Promise.all(
      Array.from(
        { length: 10_000 },
        async (_, index) => await writeFile(path.join(folder, 'many', `文件 ${index}`), ''),
      ),
    );
    await writeFile(onTarget('备份.zip'), Buffer.alloc(3_000_000));
    await writeFile(onTarget('猫.png'), onePixel);
    await writeFile(onTarget('旅行.webm'), makeVideo(200_000));
    await utimes(onTarget('备份.zip'), 1_700_000_000, 1_700_000_000);
  }

  const list = () => page.getByRole('grid', { name: '文件列表' });
  const names = () => list().locator('[role=gridcell] bdi').allTextContents();
  const row = (name: string): Locator =>
    page.getByRole('row').filter({ has: page.getByRole('button', { name, exact: true }) });

  const screenshots = async (name: string) => await saveScreenshots(stage(), `files-${name}`);

  async function expectGoodPage(): Promise<void> {
    await expect.poll(() => seriousBarriers(page)).toEqual([]);
    expect(await untranslatedText(page)).toEqual([]);
    expect(await horizontalOverflow(page)).toEqual([]);
  }

  test('the target is trusted once, and its folder is shown', async () => {
    app = await createApp({
      ...{ kind: 'sftp', name: '群晖的文件', port: ssh.port, secrets: { private_key: ssh.privateKey } },
      options: { username: ssh.username, path: `${folder}/nas` },
    });
    await openAnew(page, `${product.consoleUrl}/#/apps/${app.id}`);
    await page.getByText(ssh.fingerprint).waitFor();
    await screenshots('host-key');
    await page.getByRole('button', { name: '信任并连接' }).click();
    await row('说明.txt').waitFor();
    await row('b\\xFF\\xFE').waitFor(); // no text in any encoding
    await row('旧文件.txt').waitFor();
    await page.getByRole('button', { name: '旧文件.txt', exact: true }).click();
    await expect.poll(() => page.getByRole('textbox', { name: '文件内容' }).inputValue()).toBe('用 GBK 写的');
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /^关\s?闭$/ })
      .first()
      .click();
    await screenshots('list');
    await expectGoodPage();
  });

  test('folders are places of the address, which Back, Forward and a reload keep', async () => {
    errors.length = 0;
    await page.getByRole('button', { name: '照片', exact: true }).click();
    await row('海.txt').waitFor();
    await page.goBack();
    await row('说明.txt').waitFor();
    await page.goForward();
    await row('海.txt').waitFor();
    await page.reload();
    await row('海.txt').waitFor();
    await list().focus();
    await page.keyboard.press('Backspace');
    await row('说明.txt').waitFor();
    expect(errors).toEqual([]);
  });

  test('the keyboard and the filter find an entry', async () => {
    await page.getByRole('textbox', { name: '按名称筛选' }).fill('zip');
    await expect.poll(names).toEqual(['备份.zip']);
    await page.getByRole('textbox', { name: '按名称筛选' }).fill('');
    await row('说明.txt').waitFor();
    await list().focus();
    await page.keyboard.press('Control+a');
    await page.getByText(/^已选 \d 项/).waitFor();
    await screenshots('selected');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: '大小', exact: true }).click();
    await expect.poll(async () => (await names()).slice(2, 3)).toEqual(['旅行.webm']);
    await page.getByRole('button', { name: '名称', exact: true }).click();
  });

  test('a large file is uploaded, paused, cut off and resumed, and comes back with the same bytes', async () => {
    await page.getByRole('button', { name: '新建文件夹' }).click();
    await page.getByRole('dialog').getByLabel('名称').fill('上传的');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: '上传的', exact: true }).click();
    await page.getByText('这个文件夹是空的').waitFor();
    await screenshots('empty');
    const content = randomBytes(largeBytes);
    const local = path.join(folder, '视频.bin');
    await writeFile(local, content);
    // Slow enough that some of it is still to come after each step.
    const devTools = await profile.newCDPSession(page);
    const limitUpload = async (uploadThroughput: number) =>
      await devTools.send('Network.emulateNetworkConditions', {
        ...{ offline: false, uploadThroughput, downloadThroughput: -1, latency: 0 },
      });
    await limitUpload(largeBytes / 3);
    void ssh.holdAfter(largeBytes / 10);
    await page.getByLabel('上传文件', { exact: true }).setInputFiles(local);
    await page.getByText(/^[1-9]\d?%$/).waitFor();
    await page.getByRole('button', { name: '暂停 视频.bin' }).click();
    await page.getByText('已暂停').waitFor();
    await screenshots('paused');
    ssh.release();
    const resumed = page.waitForRequest((request) => request.method() === 'PATCH');
    await page.getByRole('button', { name: '继续 视频.bin' }).click();
    expect(Number((await resumed).headers()['upload-offset'])).toBeGreaterThan(0);
    await ssh.holdAfter(largeBytes / 10);
    const goesOn = page.waitForRequest((request) => request.method() === 'PATCH');
    ssh.cut();
    await limitUpload(-1); // the browser sees the answer when it has sent all
    expect(Number((await goesOn).headers()['upload-offset'])).toBeGreaterThan(0);
    await page.getByText('上传完成 1 项').waitFor();
    await row('视频.bin').waitFor();
    expect((await readFile(onTarget('上传的/视频.bin'))).equals(content)).toBe(true);
    const download = await downloadOf('视频.bin');
    expect(download.suggestedFilename()).toBe('视频.bin');
    expect((await readFile(await download.path())).equals(content)).toBe(true);
  });

  async function downloadOf(name: string): Promise<Download> {
    await row(name)
      .getByRole('button', { name: `${name} 更多操作` })
      .click();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: '下载' }).click(),
    ]);
    return download;
  }

  test('a file of the same name waits for an answer, and a folder is uploaded with its content', async () => {
    const other = randomBytes(1_000);
    const local = path.join(folder, '视频.bin');
    await writeFile(local, other);
    await page.getByLabel('上传文件', { exact: true }).setInputFiles(local);
    await page.getByText('已有同名的文件或文件夹').waitFor();
    await screenshots('uploads');
    expect((await stat(onTarget('上传的/视频.bin'))).size).toBe(largeBytes);
    await page.getByRole('button', { name: '替换', exact: true }).click();
    await page.getByText('上传完成 2 项').waitFor();
    expect((await readFile(onTarget('上传的/视频.bin'))).equals(other)).toBe(true);
    await page.getByLabel('上传文件夹').setInputFiles(path.join(folder, 'nas/照片'));
    await page.getByText('上传完成 3 项').waitFor();
    expect(await readFile(onTarget('上传的/照片/海.txt'), 'utf8')).toBe('海');
    await page.getByRole('button', { name: '关闭上传列表' }).click();
    await row('照片').waitFor(); // the list is read again once all are uploaded
  });

  test('several are downloaded as one zip', async () => {
    await list().focus();
    await page.keyboard.press('Control+a');
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: '下载' }).click(),
    ]);
    expect(download.suggestedFilename()).toBe('上传的.zip');
    const zip = await readFile(await download.path());
    for (const name of ['视频.bin', '照片/海.txt']) expect(zip.includes(name)).toBe(true);
    await page.keyboard.press('Escape');
  });

  test('a folder of 10 000 files is shown, and its last one reached by a key', async () => {
    await page.goto(`${product.consoleUrl}/#/apps/${app.id}?path=${encodeURIComponent(`${folder}/many`)}`);
    await page.getByText('10000 项').waitFor();
    await list().focus();
    await page.keyboard.press('End');
    await row('文件 9999').waitFor();
    await page.goBack();
  });

  test('a file is renamed by F2, and copied beside itself', async () => {
    await row('视频.bin').getByRole('gridcell').nth(3).click();
    await list().focus();
    await page.keyboard.press('F2');
    await page.locator('[role=dialog] input:focus').waitFor();
    await page.keyboard.type('旅行'); // in place of what is selected: the name without its ending
    await page.keyboard.press('Enter');
    await row('旅行.bin').waitFor();
    await page.getByRole('button', { name: '复制到…' }).click();
    await screenshots('picker');
    await page.getByRole('dialog').getByRole('button', { name: '复制到这里' }).click();
    await row('旅行 副本.bin').waitFor();
    expect((await readFile(onTarget('上传的/旅行 副本.bin'))).length).toBe(1_000);
  });

  test('a text is edited; what somebody else has changed meanwhile is not overwritten unasked', async () => {
    await page.goBack();
    await page.getByRole('button', { name: '说明.txt', exact: true }).click();
    const text = page.getByRole('textbox', { name: '文件内容' });
    await expect.poll(() => text.inputValue()).toBe('第一行\n第二行\n');
    await text.fill('第一行\n改过了\n');
    await screenshots('text');
    await writeFile(onTarget('说明.txt'), '别人写的');
    await utimes(onTarget('说明.txt'), 1_800_000_000, 1_800_000_000);
    await page.getByRole('button', { name: '保存', exact: true }).click();
    await page.getByText('打开之后，文件已被别人改过').waitFor();
    expect(await readFile(onTarget('说明.txt'), 'utf8')).toBe('别人写的');
    await clickForMessage(page.getByRole('button', { name: '用我的覆盖' }), '已保存');
    expect(await readFile(onTarget('说明.txt'), 'utf8')).toBe('第一行\r\n改过了\r\n');
  });

  test('an image is shown', async () => {
    await page.getByRole('button', { name: '猫.png', exact: true }).click();
    const image = page.getByRole('img', { name: '猫.png' });
    await expect.poll(() => image.evaluate((element) => (element as HTMLImageElement).naturalWidth)).toBe(1); // by its role
    await screenshots('image');
    await page.keyboard.press('Escape');
  });

  test('a video plays from where the user seeks to, without the bytes between', async () => {
    await page.getByRole('button', { name: '旅行.webm', exact: true }).click();
    const [far, colour] = await Promise.all([
      page.waitForResponse((response) => startOf(response) > 6_000_000),
      page.locator('video').evaluate(async (element) => {
        const player = element as HTMLVideoElement; // by its name
        player.currentTime = 50.5;
        await new Promise((resolve) => player.addEventListener('seeked', resolve, { once: true }));
        const context = new OffscreenCanvas(1, 1).getContext('2d');
        context?.drawImage(player, 0, 0);
        return [...(context?.getImageData(0, 0, 1, 1).data ?? [])];
      }),
    ]);
    expect(colour[2]).toBeGreaterThan(colour[0] ?? 255); // blue, which it is only in its second half
    expect(far.status()).toBe(206);
    await screenshots('video');
    await page.keyboard.press('Escape');
  });

  test('a delete says what it takes', async () => {
    await row('上传的').getByRole('gridcell').nth(3).click();
    await list().focus();
    await page.keyboard.press('Delete');
    await page.getByText('共 2 个文件夹、3 个文件（2.0 KB）').waitFor();
    await screenshots('delete');
    await clickForMessage(page.getByRole('dialog').getByRole('button', { name: '删除' }), '已删除 5 项');
    await expect.poll(() => row('上传的').count()).toBe(0);
    await expect(access(onTarget('上传的'))).rejects.toThrow('ENOENT');
    await expectGoodPage();
  });

  const others = [
    {
      title: 'SMB with Samba',
      isMissing: smbdProgram === undefined,
      start: async () => {
        const samba = await startSamba(await mkdtemp(path.join(folder, 'samba-')));
        return { peer: samba, app: { kind: 'smb', options: { username: samba.username, path: '/公共' } } };
      },
    },
    {
      title: 'WebDAV with Apache',
      isMissing: apacheProgram === undefined,
      start: async () => {
        const apache = await startApache(await mkdtemp(path.join(folder, 'apache-')), { login: 'Basic' });
        return { peer: apache, app: { kind: 'webdav', options: { username: apache.username, path: '/dav' } } };
      },
    },
  ];

  describe.each(others)('$title', ({ isMissing, start }) => {
    test.skipIf(isMissing)('what is uploaded is there, comes back, and is deleted', async () => {
      const { peer, app: facts } = await start();
      await using _ = peer;
      const { id } = await createApp({ ...facts, name: '威联通', port: peer.port });
      await page.goto(`${product.consoleUrl}/#/apps/${id}`);
      const form = page.getByRole('region', { name: '登录目标' });
      await form.getByLabel('密码').fill('wrong');
      await page.keyboard.press('Enter');
      await form.getByText('目标拒绝了登录').waitFor();
      await form.getByLabel('密码').fill(peer.password);
      await page.keyboard.press('Enter');
      await page.getByText('这个文件夹是空的').waitFor();
      const content = randomBytes(3_000_000);
      await page
        .getByLabel('上传文件', { exact: true })
        .setInputFiles({ name: '春天 #1.bin', mimeType: 'application/octet-stream', buffer: content });
      await page.getByText('上传完成 1 项').waitFor();
      expect((await readFile(path.join(peer.shared, '春天 #1.bin'))).equals(content)).toBe(true);
      await page.getByRole('button', { name: '关闭上传列表' }).click();
      const download = await downloadOf('春天 #1.bin');
      expect((await readFile(await download.path())).equals(content)).toBe(true);
      await list().focus();
      await page.keyboard.press('Control+a');
      await page.keyboard.press('Delete');
      await clickForMessage(page.getByRole('dialog').getByRole('button', { name: '删除' }), '已删除 1 项');
      expect(await readdir(peer.shared)).toEqual([]);
    });
  });
}

/** Of the part of a file. */
function startOf(response: Response): number {
  return Number(/^bytes (\d+)-/.exec(response.headers()['content-range'] ?? '')?.[1]);
}
