export { deleteExpiredCodes } from './code-store.ts';
export { findPhone, parsePhone } from './parse-phone.ts';
export { sendMailCode, sendSmsCode, type SendCodeDeps } from './send-code.ts';
export { giveSmsCodeBack, useMailCode, useSmsCode, useTwoSmsCodes, type UseCodeDeps } from './use-code.ts';
