import type { PrivacyLevel } from "../levels.js";

/** Sites of one kind, and the level below which nothing of them is stored. */
export interface SiteCategory {
  readonly level: PrivacyLevel;
  /** Host suffixes on label boundaries (`example.com` covers `www.example.com`), with a path prefix where only a part counts. */
  readonly sites: readonly string[];
}

/** The category of which nothing is captured, whatever its level. */
export const passwordManagers = "password_manager";

const list = (text: string): string[] => text.split(/\s+/).filter((site) => site !== "");

/**
 * A small list of well-known sites. Sources: the operators' own sites; the largest institutions per country as listed on
 * Wikipedia ("List of largest banks", "List of stock brokers", "List of postal entities") and by the EBA register of
 * credit institutions. A topic is not a category: news about cancer is no patient portal.
 */
export const siteCategories: Readonly<Record<string, SiteCategory>> = {
  banking: {
    level: "restricted",
    sites: list(`chase.com bankofamerica.com wellsfargo.com citi.com citibank.com usbank.com capitalone.com pnc.com truist.com tdbank.com td.com regions.com ally.com discover.com
      huntington.com key.com citizensbank.com mtb.com 53.com fifththird.com navyfederal.org usaa.com becu.org penfed.org sofi.com chime.com varomoney.com marcus.com synchronybank.com
      rbc.com rbcroyalbank.com scotiabank.com bmo.com cibc.com nbc.ca desjardins.com tangerine.ca eqbank.ca
      barclays.co.uk barclays.com hsbc.com hsbc.co.uk lloydsbank.com lloydsbank.co.uk halifax-online.co.uk halifax.co.uk natwest.com rbs.co.uk santander.co.uk santander.com nationwide.co.uk monzo.com starlingbank.com tsb.co.uk metrobankonline.co.uk co-operativebank.co.uk firstdirect.com virginmoney.com
      deutsche-bank.de commerzbank.de sparkasse.de berliner-sparkasse.de haspa.de dkb.de ing.de ing.com ing.nl comdirect.de postbank.de hypovereinsbank.de vr.de volksbank.de n26.com consorsbank.de targobank.de bunq.com
      bnpparibas mabanque.bnpparibas bnpparibas.com societegenerale.fr sg.fr credit-agricole.fr creditmutuel.fr cic.fr labanquepostale.fr boursorama.com boursobank.com lcl.fr caisse-epargne.fr banquepopulaire.fr hellobank.fr fortuneo.fr
      intesasanpaolo.com unicredit.it unicreditgroup.eu bancobpm.it fineco.it finecobank.com bper.it poste.it mediolanum.it
      bbva.com bbva.es bancosantander.es caixabank.es bancsabadell.com bankinter.com openbank.es unicajabanco.es kutxabank.es
      abnamro.nl abnamro.com rabobank.nl snsbank.nl asnbank.nl knab.nl kbc.be belfius.be bnpparibasfortis.be argenta.be
      ubs.com credit-suisse.com postfinance.ch raiffeisen.ch zkb.ch raiffeisen.at erstegroup.com sparkasse.at bankaustria.at bawag.at
      nordea.com nordea.fi nordea.se nordea.dk danskebank.dk danskebank.com seb.se swedbank.se handelsbanken.se dnb.no sparebank1.no op.fi s-pankki.fi jyskebank.dk nykredit.dk
      pkobp.pl ipko.pl mbank.pl pekao.com.pl santander.pl ing.pl alior.pl millenniumbcp.pt cgd.pt novobanco.pt bpi.pt
      sberbank.ru tinkoff.ru tbank.ru vtb.ru alfabank.ru monobank.ua privatbank.ua otpbank.hu erstebank.hu csob.cz csas.cz kb.cz akbank.com isbank.com.tr garantibbva.com.tr ziraatbank.com.tr yapikredi.com.tr
      onlinesbi.sbi sbi.co.in hdfcbank.com icicibank.com axisbank.com kotak.com bankofbaroda.in pnbindia.in yesbank.in
      commbank.com.au westpac.com.au anz.com anz.com.au nab.com.au macquarie.com.au ing.com.au bankwest.com.au asb.co.nz kiwibank.co.nz
      itau.com.br bradesco.com.br bb.com.br caixa.gov.br santander.com.br nubank.com.br inter.co bancolombia.com bancochile.cl bcp.com.pe bbva.mx banorte.com citibanamex.com
      icbc.com.cn boc.cn ccb.com abchina.com bankcomm.com cmbchina.com mufg.jp bk.mufg.jp smbc.co.jp mizuhobank.co.jp rakuten-bank.co.jp dbs.com dbs.com.sg ocbc.com uob.com.sg kbstar.com shinhan.com wooribank.com
      standardbank.co.za fnb.co.za absa.co.za nedbank.co.za capitecbank.co.za gtbank.com zenithbank.com mercury.com brex.com`),
  },
  brokerage: {
    level: "restricted",
    sites: list(`fidelity.com schwab.com vanguard.com etrade.com robinhood.com interactivebrokers.com ibkr.com webull.com tastytrade.com merrilledge.com morganstanley.com ml.com troweprice.com betterment.com wealthfront.com acorns.com m1.com
      degiro.com degiro.nl traderepublic.com scalable.capital flatex.de etoro.com trading212.com hl.co.uk ajbell.co.uk freetrade.io questrade.com wealthsimple.com zerodha.com groww.in upstox.com avanza.se nordnet.se nordnet.no saxobank.com swissquote.com tradestation.com empower.com principal.com`),
  },
  payments: {
    level: "restricted",
    sites: list(`paypal.com venmo.com cash.app wise.com revolut.com zellepay.com skrill.com neteller.com klarna.com affirm.com afterpay.com alipay.com pay.google.com wallet.google.com payments.google.com pay.amazon.com wallet.apple.com payoneer.com
      westernunion.com moneygram.com remitly.com dashboard.stripe.com buy.stripe.com billing.stripe.com invoice.stripe.com connect.stripe.com squareup.com adyen.com mollie.com paytm.com phonepe.com mercadopago.com mercadopago.com.br twint.ch swish.nu vipps.no mobilepay.dk bizum.es sofort.com ideal.nl giropay.de paysafecard.com`),
  },
  checkout: {
    level: "restricted",
    sites: list(`checkout.stripe.com checkout.shopify.com checkout.paypal.com secure.checkout.visa.com checkout.square.site pay.shopify.com shop.app/pay checkout.klarna.com secure.payu.com checkout.com/pay pay.paddle.com checkout.paddle.com secure.2checkout.com checkout.razorpay.com`),
  },
  wallets: {
    level: "restricted",
    sites: list(`coinbase.com binance.com binance.us kraken.com gemini.com crypto.com kucoin.com bitstamp.net bitfinex.com okx.com bybit.com blockchain.com metamask.io phantom.app ledger.com trezor.io myetherwallet.com exodus.com trustwallet.com app.uniswap.org bitpanda.com bitvavo.com upbit.com coincheck.com`),
  },
  health: {
    level: "restricted",
    sites: list(`mychart.com mychart.org patientportal.com followmyhealth.com athenahealth.com healow.com myhealth.va.gov patientgateway.org kaiserpermanente.org/mychart healthy.kaiserpermanente.org my.clevelandclinic.org/mychart
      zocdoc.com teladoc.com amwell.com mdlive.com plushcare.com hims.com forhers.com ro.co betterhelp.com talkspace.com cerebral.com headway.co doctolib.fr doctolib.de doctolib.it doctolib.com doctoralia.com jameda.de practo.com 1mg.com
      labcorp.com questdiagnostics.com myquest.questdiagnostics.com 23andme.com ancestry.com/dna everlywell.com nhs.uk/nhs-app www.nhsapp.service.nhs.uk access.login.nhs.uk patientaccess.com ameli.fr monespacesante.fr 1177.se kanta.fi omakanta.fi sundhed.dk helsenorge.no my.gov.au/health myhealthrecord.gov.au gesund.bund.de tk.de/meine-tk`),
  },
  pharmacy: {
    level: "restricted",
    sites: list(`cvs.com/account cvs.com/pharmacy walgreens.com/pharmacy riteaid.com/pharmacy goodrx.com express-scripts.com optumrx.com caremark.com pharmacy.amazon.com capsule.com pillpack.com alto.com costplusdrugs.com shop-apotheke.com docmorris.de pharmacy2u.co.uk lloydspharmacy.com netmeds.com pharmeasy.in`),
  },
  insurance: {
    level: "restricted",
    sites: list(`healthcare.gov myuhc.com uhc.com aetna.com cigna.com mycigna.com anthem.com bcbs.com humana.com kp.org oscar.com hioscar.com medicare.gov geico.com progressive.com statefarm.com allstate.com libertymutual.com farmers.com nationwide.com metlife.com prudential.com aflac.com
      allianz.de allianz.com axa.com axa.fr axa.co.uk ergo.de huk.de generali.com generali.it zurich.com aok.de tk.de barmer.de dak.de bupa.co.uk bupa.com aviva.co.uk directline.com lemonade.com policygenius.com`),
  },
  identity: {
    level: "restricted",
    sites: list(`login.gov id.me ssa.gov/myaccount secure.ssa.gov uscis.gov/account my.uscis.gov travel.state.gov/passport ceac.state.gov gov.uk/sign-in-to account.gov.uk signin.account.gov.uk franceconnect.gouv.fr ants.gouv.fr id.bund.de personalausweisportal.de bayernid.de eherkenning.nl digid.nl mijn.overheid.nl spid.gov.it cieid.it clave.gob.es bankid.com bankid.no mitid.dk suomi.fi mygov.be itsme-id.com diia.gov.ua e-boks.dk gosuslugi.ru uidai.gov.in myaadhaar.uidai.gov.in digilocker.gov.in singpass.gov.sg my.gov.au mygovid.gov.au gov.br/login edevlet.gov.tr turkiye.gov.tr canada.ca/my-account cra-arc.gc.ca`),
  },
  tax: {
    level: "restricted",
    sites: list(`irs.gov/account irs.gov/payments sa.www4.irs.gov freefile.irs.gov ftb.ca.gov/myftb turbotax.intuit.com myturbotax.intuit.com hrblock.com taxact.com taxslayer.com freetaxusa.com creditkarma.com/tax tax.service.gov.uk www.tax.service.gov.uk elster.de impots.gouv.fr agenziaentrate.gov.it agenciatributaria.gob.es belastingdienst.nl skatteverket.se skat.dk skatteetaten.no vero.fi wundertax.de taxfix.de smartsteuer.de incometax.gov.in ato.gov.au ird.govt.nz`),
  },
  benefits: {
    level: "restricted",
    sites: list(`ssa.gov/benefits studentaid.gov benefits.gov/apply va.gov/my-va ebenefits.va.gov medicaid.gov/apply ui.edd.ca.gov edd.ca.gov/login caf.fr pole-emploi.fr francetravail.fr arbeitsagentur.de/eservices kindergeld.de inps.it seg-social.es uwv.nl svb.nl forsakringskassan.se nav.no kela.fi universal-credit.service.gov.uk centrelink.gov.au servicesaustralia.gov.au/account`),
  },
  courts: { level: "restricted", sites: list("pacer.uscourts.gov ecf.uscourts.gov uscourts.gov/cmecf justice.gov.uk/moneyclaim moneyclaims.service.gov.uk egvp.de beck-akte.de telerecours.juradm.fr") },
  sign_in: {
    level: "restricted",
    sites: list(`accounts.google.com login.microsoftonline.com login.live.com login.microsoft.com account.live.com account.microsoft.com appleid.apple.com idmsa.apple.com account.apple.com login.yahoo.com auth0.com okta.com oktapreview.com onelogin.com pingidentity.com pingone.com duosecurity.com duo.com
      login.salesforce.com signin.aws.amazon.com sso.amazonaws.com awsapps.com/start auth.openai.com auth.atlassian.com id.atlassian.com login.gov sso.godaddy.com auth.services.adobe.com adobeid-na1.services.adobe.com passport.yandex.ru id.vk.com accounts.zoho.com signin.ebay.com login.xing.com myaccount.google.com github.com/login github.com/session github.com/settings/tokens gitlab.com/users/sign_in facebook.com/login facebook.com/recover instagram.com/accounts/login x.com/i/flow/login twitter.com/login linkedin.com/login linkedin.com/uas amazon.com/ap/signin reddit.com/login netflix.com/login dropbox.com/login`),
  },
  [passwordManagers]: {
    level: "restricted",
    sites: list(`1password.com 1password.eu 1password.ca lastpass.com bitwarden.com bitwarden.eu vault.bitwarden.com dashlane.com app.dashlane.com keepersecurity.com keepersecurity.eu nordpass.com roboform.com passwords.google.com pass.proton.me vault.zoho.com logmeonce.com enpass.io passbolt.com psono.com`),
  },
  adult: {
    level: "restricted",
    sites: list("pornhub.com xvideos.com xnxx.com xhamster.com redtube.com youporn.com onlyfans.com chaturbate.com stripchat.com livejasmin.com cam4.com bongacams.com spankbang.com brazzers.com fansly.com manyvids.com literotica.com fetlife.com rule34.xxx e-hentai.org nhentai.net hentaihaven.xxx adultfriendfinder.com"),
  },
  dating: {
    level: "restricted",
    sites: list("tinder.com bumble.com hinge.co okcupid.com match.com grindr.com badoo.com pof.com eharmony.com coffeemeetsbagel.com feeld.co her.app jdate.com christianmingle.com parship.de elitepartner.de lovoo.com meetic.fr zoosk.com ashleymadison.com taimi.com happn.com once.com"),
  },
  webmail: {
    level: "filtered",
    sites: list(`mail.google.com inbox.google.com outlook.live.com outlook.office.com outlook.office365.com outlook.com mail.yahoo.com mail.aol.com mail.proton.me mail.protonmail.com protonmail.com app.tuta.com mail.tutanota.com icloud.com/mail fastmail.com app.fastmail.com mail.zoho.com mail.zoho.eu gmx.net gmx.de gmx.com web.de mail.com mail.ru e.mail.ru mail.yandex.ru mail.yandex.com laposte.net orange.fr/webmail
      webmail.t-online.de email.t-online.de posteo.de mailbox.org hey.com app.hey.com mail.superhuman.com superhuman.com mail.qq.com mail.163.com mail.126.com mail.naver.com mail.daum.net seznam.cz wp.pl poczta.onet.pl libero.it virgilio.it`),
  },
  chat: {
    level: "filtered",
    sites: list(`web.whatsapp.com web.telegram.org messages.google.com chat.google.com discord.com/channels app.slack.com slack.com/client teams.microsoft.com teams.live.com teams.cloud.microsoft messenger.com facebook.com/messages instagram.com/direct x.com/messages twitter.com/messages linkedin.com/messaging reddit.com/message reddit.com/chat web.skype.com signal.me app.element.io chat.zoom.us app.zoom.us meet.google.com zoom.us/j web.wechat.com line.me snapchat.com web.snapchat.com
      app.intercom.com app.frontapp.com mattermost.com rocket.chat zulipchat.com web.threema.ch viber.com chatgpt.com claude.ai gemini.google.com copilot.microsoft.com perplexity.ai chat.mistral.ai chat.deepseek.com poe.com character.ai`),
  },
  calendar: { level: "filtered", sites: list("calendar.google.com calendar.proton.me calendar.yahoo.com outlook.live.com/calendar icloud.com/calendar calendar.zoho.com calendly.com/app cal.com/bookings doodle.com/dashboard app.reclaim.ai fantastical.app calendar.notion.so") },
  contacts: { level: "filtered", sites: list("contacts.google.com icloud.com/contacts people.live.com outlook.live.com/people contacts.zoho.com") },
  hr: {
    level: "filtered",
    sites: list("workday.com myworkday.com bamboohr.com personio.com personio.de hibob.com namely.com successfactors.com successfactors.eu ultipro.com ukg.com dayforce.com dayforcehcm.com gusto.com adp.com workforcenow.adp.com my.adp.com paychex.com myapps.paychex.com paycom.com paylocity.com rippling.com justworks.com trinet.com deel.com remote.com zenefits.com lattice.com cultureamp.com greenhouse.io lever.co smartrecruiters.com factorial.io sage.com/hr datev.de lexware.de"),
  },
  legal: { level: "filtered", sites: list("docusign.com docusign.net app.hellosign.com sign.dropbox.com adobesign.com pandadoc.com clio.com app.clio.com mycase.com legalzoom.com/my rocketlawyer.com/account everlaw.com relativity.com") },
  education: { level: "filtered", sites: list("instructure.com blackboard.com canvaslms.com moodlecloud.com powerschool.com infinitecampus.com skyward.com naviance.com commonapp.org collegeboard.org/account studentclearinghouse.org parchment.com classroom.google.com edmodo.com schoology.com brightspace.com d2l.com ucas.com parcoursup.fr pronote.net magister.net") },
  religion: { level: "filtered", sites: list("planningcenteronline.com churchcenter.com mychurch.org churchofjesuschrist.org/my tithe.ly pushpay.com shulcloud.com breezechms.com") },
  politics: { level: "filtered", sites: list("actblue.com winred.com ngpvan.com everyaction.com nationbuilder.com mobilize.us actionnetwork.org") },
  union: { level: "filtered", sites: list("unionware.com unionly.io igmetall.de/mitglied verdi.de/meine unison.org.uk/my-unison my.seiu.org") },
  travel: {
    level: "filtered",
    sites: list(`google.com/maps/dir maps.google.com maps.apple.com waze.com/live-map uber.com/trips m.uber.com riders.uber.com lyft.com/ride bolt.eu booking.com/mybooking secure.booking.com airbnb.com/trips airbnb.com/messaging expedia.com/trips tripit.com hotels.com/account trips.hotels.com united.com/trips delta.com/mytrips aa.com/reservation lufthansa.com/booking ryanair.com/trip easyjet.com/booking
      britishairways.com/travel bahn.de/buchung sncf-connect.com/trip trainline.com/my-bookings eurostar.com/manage flixbus.com/rebooking blablacar.com/rides`),
  },
  deliveries: { level: "filtered", sites: list("ups.com/track fedex.com/fedextrack tools.usps.com informeddelivery.usps.com dhl.com/track dhl.de/sendungsverfolgung royalmail.com/track-your-item laposte.fr/outils dpd.com/tracking gls-group.eu/track amazon.com/gp/css amazon.com/gp/your-account amazon.com/your-orders amazon.de/gp/css amazon.co.uk/gp/css ubereats.com/orders doordash.com/orders grubhub.com/account deliveroo.co.uk/orders instacart.com/store/account") },
};
