import { expect, test } from 'vitest';
import { invitationMail, passwordMail } from './link-mails.ts';

test('the only link of a mail is our own, whatever the name of the account is', () => {
  const link = { to: 'wang@example.org', url: 'https://tongtu.example.com/#/join?token=a', validHours: 24 };
  const name = 'www.evil.example';
  for (const { text } of [invitationMail({ ...link, inviter: name }), passwordMail({ ...link, username: name })]) {
    expect(text.replaceAll('tongtu.example.com', '')).not.toMatch(/\w\.\w/);
    expect(text).toContain('www(.)evil(.)example');
  }
});
