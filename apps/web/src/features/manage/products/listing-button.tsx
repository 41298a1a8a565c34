import { Button } from 'antd';
import { managedProductsText } from '../../../text/management/products.ts';
import { useConfirm } from '../../../ui/use-confirm.ts';
import { useMutationToast } from '../../confirm/use-mutation-toast.ts';

type ListingButtonProps = {
  name: string;
  listed: boolean;
  list: { isPending: boolean; mutateAsync: (listed: boolean) => Promise<unknown> };
};

/** Takes something off the shelf, after a question, or puts it back. */
export function ListingButton({ name, listed, list }: ListingButtonProps) {
  const confirm = useConfirm();
  const toastOutcome = useMutationToast();
  const word = listed ? managedProductsText.unlist : managedProductsText.list;
  function change() {
    if (!listed) return toastOutcome(list.mutateAsync(true), managedProductsText.nowListed(name));
    confirm({
      title: managedProductsText.unlistTitle(name),
      text: managedProductsText.unlistText,
      confirm: managedProductsText.unlist,
      canBeUndone: true,
      onConfirm: () => toastOutcome(list.mutateAsync(false), managedProductsText.nowUnlisted(name)),
    });
  }
  return (
    <Button loading={list.isPending} aria-label={managedProductsText.switchLabel(word, name)} onClick={change}>
      {word}
    </Button>
  );
}
