import { createServer, type AddressInfo, type Socket } from 'node:net';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { captureLog } from '../../testing/capture-log.ts';
import { DevelopmentCodes } from '../development/index.ts';
import { createSmsSender, type SmsConfig } from './create-sms-sender.ts';
import { aliyunSms, startFakeAliyunSms } from './testing/fake-aliyun-sms.ts';
import { startFakeTencentSms, tencentSms } from './testing/fake-tencent-sms.ts';

const aliyun = { provider: 'aliyun', ...aliyunSms } as const;
const tencent = { provider: 'tencent', ...tencentSms } as const;
const start = { aliyun: startFakeAliyunSms, tencent: startFakeTencentSms };

const message = { phone: '+8613800138000', purpose: 'login', code: '012345' } as const;
const abroad = { ...message, phone: '+85251234567' };

function senderOf(config: SmsConfig) {
  return createSmsSender(config, new DevelopmentCodes(pino({ level: 'silent' })));
}

test('aliyun gets the template for the mainland or the one for numbers abroad', async () => {
  await using provider = await startFakeAliyunSms();
  const sender = senderOf({ ...aliyun, endpoint: provider.endpoint });

  await sender.send(message);
  await sender.send(abroad);

  const parameters = '{"code":"012345"}';
  expect(provider.accepted).toEqual([
    { phone: '13800138000', signName: '通途', template: 'SMS_100', parameters },
    { phone: '85251234567', signName: '通途', template: 'SMS_200', parameters },
  ]);
});

test('tencent gets the template for the mainland or the one for numbers abroad', async () => {
  await using provider = await startFakeTencentSms();
  const sender = senderOf({ ...tencent, endpoint: provider.endpoint });

  await sender.send(message);
  await sender.send(abroad);

  expect(provider.accepted).toEqual([
    { phone: '+8613800138000', signName: '通途', template: '1110', parameters: '012345' },
    { phone: '+85251234567', signName: '通途', template: '2220', parameters: '012345' },
  ]);
});

test.for([
  [aliyun, 'isv.BUSINESS_LIMIT_CONTROL', 'code.too-often'],
  [aliyun, 'isv.MOBILE_NUMBER_ILLEGAL', 'phone.invalid'],
  [aliyun, 'isv.AMOUNT_NOT_ENOUGH', 'sms.unavailable'],
  [aliyun, 'constructor', 'sms.unavailable'],
  [tencent, 'LimitExceeded.PhoneNumberThirtySecondLimit', 'code.too-often'],
  [tencent, 'LimitExceeded.PhoneNumberDailyLimit', 'code.daily-limit'],
  [tencent, 'InvalidParameterValue.IncorrectPhoneNumber', 'phone.invalid'],
  [tencent, 'FailedOperation.InsufficientBalanceInSmsPackage', 'sms.unavailable'],
] as const)('%o: the error %s of the provider becomes %s', async ([config, refusal, code]) => {
  await using provider = await start[config.provider]();
  provider.refuseWith(refusal);
  const sender = senderOf({ ...config, endpoint: provider.endpoint });

  await expect(sender.send(message)).rejects.toMatchObject({
    code,
    cause: { message: `the message was refused: ${refusal} says ${refusal}` },
  });
  expect(provider.accepted).toEqual([]);
});

test.for([
  [{ ...aliyun, accessKeySecret: 'wrong' }, 'SignatureDoesNotMatch'],
  [{ ...aliyun, accessKeyId: 'wrong' }, 'InvalidAccessKeyId.NotFound'],
  [{ ...aliyun, signName: '别的' }, 'isv.SMS_SIGNATURE_ILLEGAL'],
  [{ ...tencent, secretKey: 'wrong' }, 'AuthFailure.SignatureFailure'],
  [{ ...tencent, region: 'nowhere' }, 'UnsupportedRegion'],
  [{ ...tencent, appId: '1' }, 'InvalidParameterValue.SdkAppIdNotExist'],
] as const)('a wrong setting is reported to the operator, not to users: %o', async ([config, words]) => {
  await using provider = await start[config.provider]();

  const attempt = senderOf({ ...config, endpoint: provider.endpoint }).send(message);

  await expect(attempt).rejects.toMatchObject({
    code: 'sms.unavailable',
    cause: { message: expect.stringContaining(words) },
  });
});

test.for([aliyun, tencent])('$provider: an invalid response means unavailable', async (config) => {
  await using server = await startRawServer('HTTP/1.1 502 Bad Gateway\r\ncontent-length: 4\r\n\r\noops');
  await expect(senderOf({ ...config, endpoint: server.endpoint }).send(message)).rejects.toMatchObject({
    code: 'sms.unavailable',
  });
});

test.for([aliyun, tencent])(
  '$provider: a redirect is not followed, because it would send the signature elsewhere',
  async (config) => {
    await using elsewhere = await start[config.provider]();
    await using server = await startRawServer(
      `HTTP/1.1 307 Temporary Redirect\r\nlocation: ${elsewhere.endpoint}/\r\ncontent-length: 0\r\n\r\n`,
    );
    await expect(senderOf({ ...config, endpoint: server.endpoint }).send(message)).rejects.toMatchObject({
      code: 'sms.unavailable',
    });
    expect(elsewhere.accepted).toEqual([]);
  },
);

test('in development a code goes to the log and to the list of recent codes', async () => {
  const { log, lines } = captureLog();
  const codes = new DevelopmentCodes(log);
  const sender = createSmsSender({ provider: 'development' }, codes);

  for (let i = 0; i < 60; i++) await sender.send({ ...message, code: String(i).padStart(6, '0') });

  expect(lines).toHaveLength(60);
  expect(lines[59]).toMatchObject({ channel: 'sms', address: message.phone, purpose: 'login', code: '000059' });
  expect(codes.list()).toHaveLength(50);
  expect(codes.list()[0]).toMatchObject({ code: '000059' });
});

/** A TCP server that answers every request with these bytes. */
async function startRawServer(
  bytes: string,
  { closes } = { closes: true },
): Promise<AsyncDisposable & { endpoint: string }> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.once('data', () => (closes ? socket.end(bytes) : socket.write(bytes)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
