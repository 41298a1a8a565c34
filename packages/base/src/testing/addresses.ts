import fc from 'fast-check';

/** IP addresses in every spelling. */
export const anyAddress = fc.oneof(
  fc.ipV4(),
  fc.ipV6(),
  ...['::ffff:', '::', '64:ff9b::'].map((start) => fc.ipV4().map((address) => start + address)),
);

/** Texts that resemble addresses. Some are valid. */
export const anyAlmostAddress = fc.oneof(
  fc.stringMatching(/^[0-9a-f:.]{0,24}$/),
  fc.stringMatching(/^(0|ffff)?(:0|:ffff|:1|:){1,8}(0|1)?$/),
  fc.stringMatching(/^[0-9a-f:]{2,12}(\d{1,3}\.){3}\d{1,3}$/),
);
