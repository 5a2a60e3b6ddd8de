// The app card of a HubSpot record. HubSpot signs the call and identifies the user.
import { Button, hubspot } from '@hubspot/ui-extensions';

hubspot.extend(({ context, actions }) => <OpenDesk context={context} actions={actions} />);

const OpenDesk = ({ context, actions }) => {
  const open = async () => {
    const answer = await hubspot.fetch('https://desk.example/launch/hubspot/hubspot', {
      method: 'POST',
      body: {
        record: { type: context.crm.objectTypeId, id: String(context.crm.objectId) },
        prefill: {}, // keyed by New inquiry field names, from the record's properties
      },
    });
    const { url, error, reference } = await answer.json().catch(() => ({}));
    if (!answer.ok || !url) {
      actions.addAlert({ type: 'danger', message: `${error ?? 'Hearthline isn’t responding.'} ${reference ?? ''}`.trim() });
      return;
    }
    actions.openIframeModal({ uri: url, title: 'Hearthline', width: 1000, height: 900, flush: true });
  };
  return <Button onClick={open}>Open in Hearthline</Button>;
};
