/** A user of the fake WeChat. `isPreview`: WeChat's snapshot page, which returns a made-up user. */
export type FakePerson = { name: string; openId: string; unionId: string | undefined; isPreview?: true };

export const fakePeople: readonly FakePerson[] = [
  { name: '测试用户甲', openId: 'oFake-0000000000000000000001', unionId: 'uFake-0000000000000000000001' },
  { name: '测试用户乙', openId: 'oFake-0000000000000000000002', unionId: 'uFake-0000000000000000000002' },
  { name: '测试用户丙（没有 UnionID）', openId: 'oFake-0000000000000000000003', unionId: undefined },
  { name: '微信用户（快照页）', openId: 'oFake-0000000000000000000004', unionId: undefined, isPreview: true },
];
