import { Alert, Button, Flex } from 'antd';
import type { ReactNode } from 'react';
import { uiText } from './ui-text.ts';

type LoadFailureProps = {
  title: string;
  /** Why it did not come. */
  text: string;
  query: { isFetching: boolean; refetch: () => Promise<unknown> };
  /** A way on beside trying again. */
  more?: ReactNode;
};

/** Stands where something could not be had, with the way to try again. */
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
            {uiText.retry}
          </Button>
          {more}
        </Flex>
      }
    />
  );
}
