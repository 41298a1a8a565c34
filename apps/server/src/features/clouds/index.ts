export { aliyunQuery, sha256, signAliyunRequest } from './aliyun-signature.ts';
export { signTencentRequest } from './tencent-signature.ts';
