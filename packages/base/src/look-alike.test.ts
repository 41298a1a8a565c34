import { expect, test } from 'vitest';
import { skeletonOf } from './look-alike.ts';

test.each([
  ['admin', 'аdmin'],
  ['admin', 'АDМІN'],
  ['admin', 'ａｄｍｉｎ'],
  ['admin', 'ádmïn'],
  ['admin', 'adm1n'],
  ['admin', 'admln'],
  ['admin', 'adrnin'],
  ['admin', 'αdmιn'],
  ['admin', '𝐚𝐝𝐦𝐢𝐧'],
  ['root', 'r00t'],
  ['support', 'ѕuррort'],
  ['wang', 'vvang'],
  ['BOB', 'ВОВ'],
  ['Illinois', 'lllinois'],
  ['admin', 'ᴀᴅᴍɪɴ'],
  ['工程师王小二', 'エ程师王小ニ'],
])('%s and %s look alike', (one, other) => {
  expect(skeletonOf(other)).toBe(skeletonOf(one));
});

test.each([
  ['wang', 'wong'],
  ['li.wei', 'liwei'],
  ['王伟', '王玮'],
  ['कि', 'का'],
  ['กา', 'กำ'],
  ['がか', 'かが'],
])('%s and %s do not', (one, other) => {
  expect(skeletonOf(other)).not.toBe(skeletonOf(one));
});
