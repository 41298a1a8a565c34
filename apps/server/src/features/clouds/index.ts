export { aliyunRequest } from './aliyun-request.ts';
export { tencentRequest } from './tencent-request.ts';
