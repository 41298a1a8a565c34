import { expect, test } from 'vitest';
import { planConsoleCertificates } from './plan-console-certificates.ts';

test('without a DNS provider every console name has a certificate of its own', () => {
  expect(
    planConsoleCertificates({ suffix: 'example.com', consoleNames: ['example.com', 'a.example.com'], hasDns: false }),
  ).toEqual([
    { subject: 'a.example.com', names: ['a.example.com'], challenge: 'http-01' },
    { subject: 'example.com', names: ['example.com'], challenge: 'http-01' },
  ]);
});

test('with a DNS provider one wildcard covers the suffix and what lies below it', () => {
  expect(
    planConsoleCertificates({
      suffix: 'example.com',
      consoleNames: ['example.com', 'www.example.com', 'console.home.example.com'],
      hasDns: true,
    }),
  ).toEqual([
    // Without www, because authorities refuse names that a wildcard of the same order covers.
    {
      subject: '*.example.com',
      names: ['*.example.com', 'example.com', 'console.home.example.com'],
      challenge: 'dns-01',
    },
  ]);
});

test('a console name outside the suffix uses HTTP-01, because the provider may not host its zone', () => {
  const planned = planConsoleCertificates({
    suffix: 'd.example.com',
    consoleNames: ['d.example.com', 'console.example.net', 'd.example.com.evil.net'],
    hasDns: true,
  });
  expect(planned.map(({ subject, challenge }) => [subject, challenge])).toEqual([
    ['*.d.example.com', 'dns-01'],
    ['console.example.net', 'http-01'],
    ['d.example.com.evil.net', 'http-01'],
  ]);
});

test('names that are not public are not ordered, and duplicates are ordered once', () => {
  const consoleNames = [
    'localhost',
    '192.168.1.2',
    '2001:db8::1',
    'nas',
    'a.localhost',
    'a.example.com',
    'a.example.com',
  ];
  expect(planConsoleCertificates({ suffix: 'localhost', consoleNames, hasDns: true })).toEqual([
    { subject: 'a.example.com', names: ['a.example.com'], challenge: 'http-01' },
  ]);
});
