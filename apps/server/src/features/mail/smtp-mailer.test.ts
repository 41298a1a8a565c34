import { expect, test } from 'vitest';
import { createSmtpMailer } from './smtp-mailer.ts';
import { startSmtpServer } from '../../testing/smtp-server.ts';

const mail = { to: 'li@example.com', subject: '通途验证码', text: '您的验证码是 012345，5 分钟内有效。\n.\n再见\n' };

function mailerTo(port: number, user = '') {
  return createSmtpMailer({ url: `smtp://${user}127.0.0.1:${port}`, from: '通途 <noreply@example.com>' });
}

function textOf(data: string): string {
  const [, body = ''] = data.split(/\n\n([\s\S]*)/);
  const isBase64 = /content-transfer-encoding: base64/i.test(data);
  if (isBase64) return Buffer.from(body, 'base64').toString();
  const bytes = body
    .replaceAll(/=\n/g, '')
    .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString();
}

test('a mail with Chinese text arrives unchanged', async () => {
  await using server = await startSmtpServer();

  await mailerTo(server.port).send(mail);

  const [received] = server.received;
  expect(received).toMatchObject({ from: 'noreply@example.com', to: ['li@example.com'] });
  expect(received!.data).toMatch(/^Subject: =\?UTF-8\?/m);
  expect(textOf(received!.data).trim()).toBe(mail.text.trim());
});

test('user name and password of the URL may contain special characters', async () => {
  await using server = await startSmtpServer({ user: { name: 'a@b.c', password: 'p:/@?' } });

  await mailerTo(server.port, `${encodeURIComponent('a@b.c')}:${encodeURIComponent('p:/@?')}@`).send(mail);

  expect(server.received).toHaveLength(1);
});

test('a wrong password, a refused recipient and a stopped server all mean mail.unavailable', async () => {
  await using strict = await startSmtpServer({ user: { name: 'a', password: 'b' } });
  await using refusing = await startSmtpServer({ recipientAnswer: '550 5.1.1 no such user' });
  const stopped = await startSmtpServer();
  await stopped[Symbol.asyncDispose]();

  for (const mailer of [mailerTo(strict.port, 'a:wrong@'), mailerTo(refusing.port), mailerTo(stopped.port)]) {
    await expect(mailer.send(mail)).rejects.toMatchObject({ code: 'mail.unavailable', cause: expect.any(Error) });
  }
  expect([...strict.received, ...refusing.received]).toEqual([]);
});

test('a server that does not answer causes a timeout', async () => {
  await using server = await startSmtpServer({ isSilent: true });
  const mailer = createSmtpMailer({ url: `smtp://127.0.0.1:${server.port}`, from: 'a@example.com', timeoutMs: 50 });

  await expect(mailer.send(mail)).rejects.toMatchObject({ code: 'mail.unavailable' });
});

test('a password is sent without TLS only to this machine or when the URL says so', async () => {
  // A loopback address that the mailer does not recognize as this machine.
  await using server = await startSmtpServer({ user: { name: 'a', password: 'b' }, host: '127.0.0.2' });
  const url = `smtp://a:b@127.0.0.2:${server.port}`;

  await expect(createSmtpMailer({ url, from: 'a@example.com' }).send(mail)).rejects.toMatchObject({
    code: 'mail.unavailable',
  });
  await createSmtpMailer({ url: `${url}?requireTLS=false`, from: 'a@example.com' }).send(mail);

  expect(server.commands.filter((line) => line.startsWith('AUTH'))).toHaveLength(1);
  expect(server.received).toHaveLength(1);
});

test.each([
  'li@example.com\r\nBcc: all@example.com',
  'li@example.com, all@example.com',
  'li@example.com> RCPT TO:<all@example.com',
])('a recipient cannot inject further recipients or commands: %j', async (to) => {
  await using server = await startSmtpServer();

  await mailerTo(server.port)
    .send({ ...mail, to })
    .catch(() => undefined);

  expect(server.received.flatMap((received) => received.to)).not.toContain('all@example.com');
  expect(server.commands.filter((line) => line.startsWith('RCPT')).length).toBeLessThanOrEqual(1);
  for (const { data } of server.received) expect(data).not.toMatch(/^Bcc:/im);
});
