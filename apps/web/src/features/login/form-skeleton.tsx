import { Skeleton } from 'antd';
import { loginText } from '../../text/login.ts';

/** A form that is about to appear. */
export function FormSkeleton() {
  return <Skeleton active title={false} paragraph={{ rows: 6 }} aria-label={loginText.loading} />;
}
