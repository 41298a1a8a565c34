import { Alert, Button, Flex } from 'antd';
import type { ReactNode } from 'react';
import { plainText } from '../plain/plain-text.ts';

type LoadFailureProps = {
  title: string;
  /** The error message. */
  text: string;
  query: { isFetching: boolean; refetch: () => Promise<unknown> };
  /** Another action beside retrying. */
  more?: ReactNode;
};

/** Shown when something could not be loaded, with a button to retry. */
export function LoadFailure({ title, text, query, more }: LoadFailureProps) {
  const { isFetching, refetch } = query;
  return (
    <Alert
      type="error"
      showIcon
      title={title}
      description={text}
      action={
        <Flex wrap gap="small">
          <Button loading={isFetching} onClick={() => void refetch()}>
            {plainText.retry}
          </Button>
          {more}
        </Flex>
      }
    />
  );
}
