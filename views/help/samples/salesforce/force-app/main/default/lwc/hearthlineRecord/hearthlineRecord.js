// Hearthline on a record page. The static resource hearthlineDesk is the script of <hearthline-desk>.
import { LightningElement, api } from 'lwc';
import { loadScript } from 'lightning/platformResourceLoader';
import { notifyRecordUpdateAvailable } from 'lightning/uiRecordApi';
import ELEMENT from '@salesforce/resourceUrl/hearthlineDesk';
import launch from '@salesforce/apex/HearthlineLaunch.launch';

export default class HearthlineRecord extends LightningElement {
    address;
    token;
    problem;
    record;
    loaded = false;

    // Salesforce can show another record with the same component.
    @api
    get recordId() {
        return this.record;
    }
    set recordId(id) {
        this.record = id;
        if (this.loaded) this.sign();
    }

    async connectedCallback() {
        try {
            await loadScript(this, ELEMENT);
            this.loaded = true;
            await this.sign();
        } catch (error) {
            this.explain(error);
        }
    }

    // A token is for one launch of one record, so each launch needs a new one.
    async sign() {
        const recordId = this.record;
        try {
            const { address, token } = await launch({ recordId });
            if (recordId !== this.record) return; // it changed meanwhile
            this.address = address;
            this.token = token;
            this.problem = undefined;
        } catch (error) {
            this.token = undefined;
            this.explain(error);
        }
    }

    renew(event) {
        event.preventDefault(); // the element has no token-url: it launches when its token changes
        this.sign();
    }

    changed() {
        notifyRecordUpdateAvailable([{ recordId: this.record }]);
    }

    explain(error) {
        this.problem = error.body?.message ?? error.message ?? 'Hearthline couldn’t be opened.';
    }
}
