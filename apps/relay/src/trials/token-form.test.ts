import { expect, test } from 'vitest';
import { tokenFormTarget } from './token-form.ts';

const token = '<input type=hidden name=csrfmiddlewaretoken value=x>';
const target = (page: string) => tokenFormTarget(Buffer.from(page), '/accounts/login/?next=/');

test('the form of a token is the one around it', () => {
  expect(target(`<form action="/search"></form><FORM METHOD='post' action='/in'>${token}</form>`)).toBe('/in');
  expect(target(`<form method=post>${token}</form>`)).toBe('/accounts/login/?next=/');
  expect(target(`<form action=go method="POST">${token}</form>`)).toBe('/accounts/login/go');
});

test.each([
  ['', 'no page'],
  ['<form method="post" action="/reboot"><button>Reboot</button></form>', 'a form without a token'],
  [`<form action="/search">${token}</form>`, 'a form that is no POST'],
  [`<form method=post action="https://elsewhere.example/">${token}</form>`, 'a form of another site'],
  [token, 'a token without a form'],
])('%s is not sent: %s', (page) => {
  expect(target(page)).toBeUndefined();
});
