extension ISO639 {
    /// Every language of ISO 639-1 and 639-2, and those of 639-3 that people meet in films or that have a common English name. A row: the
    /// terminological code and, behind a slash, the bibliographic one where there are two; the two-letter code or a dash; the name.
    static let rows = """
        aar aa Afar;abk ab Abkhazian;ace - Acehnese;ach - Acoli;acm - Mesopotamian Arabic;ada - Adangme;ady - Adyghe;aeb - Tunisian Arabic;\
        afa - Afro-Asiatic languages;afb - Gulf Arabic;afh - Afrihili;afr af Afrikaans;agq - Aghem;ain - Ainu;aka ak Akan;akk - Akkadian;akz - Alabama;\
        ale - Aleut;alg - Algonquian languages;aln - Gheg Albanian;alt - Southern Altai;amh am Amharic;ami - Amis;ang - Old English;ann - Obolo;anp - Angika;\
        apa - Apache languages;apc - Levantine Arabic;apd - Sudanese Arabic;ara ar Arabic;arc - Aramaic;arg an Aragonese;arn - Mapuche;aro - Araona;\
        arp - Arapaho;arq - Algerian Arabic;ars - Najdi Arabic;art - Artificial languages;arw - Arawak;ary - Moroccan Arabic;arz - Egyptian Arabic;asa - Asu;\
        ase - American Sign Language;asm as Assamese;ast - Asturian;ath - Athapascan languages;atj - Atikamekw;aus - Australian languages;ava av Avaric;\
        ave ae Avestan;avk - Kotava;awa - Awadhi;aym ay Aymara;aze az Azerbaijani;bad - Banda languages;bai - Bamileke languages;bak ba Bashkir;bal - Baluchi;\
        bam bm Bambara;ban - Balinese;bar - Bavarian;bas - Basaa;bat - Baltic languages;bax - Bamun;bbc - Batak Toba;bbj - Ghomala;bej - Beja;\
        bel be Belarusian;bem - Bemba;ben bn Bangla;ber - Berber languages;bew - Betawi;bez - Bena;bfd - Bafut;bfi - British Sign Language;bfq - Badaga;\
        bgc - Haryanvi;bgn - Western Balochi;bho - Bhojpuri;bih bh Bihari;bik - Bikol;bin - Bini;bis bi Bislama;bjn - Banjar;bkm - Kom;bla - Siksiká;\
        blo - Anii;blt - Tai Dam;bnn - Bunun;bnt - Bantu languages;bod/tib bo Tibetan;bos bs Bosnian;bpy - Bishnupriya;bqi - Bakhtiari;bra - Braj;\
        bre br Breton;brh - Brahui;brx - Bodo;bss - Akoose;btk - Batak languages;bua - Buriat;bug - Buginese;bul bg Bulgarian;bum - Bulu;byn - Blin;\
        byv - Medumba;cad - Caddo;cai - Central American Indian languages;car - Carib;cat ca Catalan;cau - Caucasian languages;cay - Cayuga;cch - Atsam;\
        ccp - Chakma;cdo - Min Dong Chinese;ceb - Cebuano;cel - Celtic languages;ces/cze cs Czech;cgg - Chiga;cha ch Chamorro;chb - Chibcha;che ce Chechen;\
        chg - Chagatai;chk - Chuukese;chm - Mari;chn - Chinook Jargon;cho - Choctaw;chp - Chipewyan;chr - Cherokee;chu cu Church Slavic;chv cv Chuvash;\
        chy - Cheyenne;cic - Chickasaw;cjy - Jinyu Chinese;ckb - Central Kurdish;clc - Chilcotin;cmc - Chamic languages;cnr - Montenegrin;cop - Coptic;\
        cor kw Cornish;cos co Corsican;cpe - English-based creoles;cpf - French-based creoles;cpp - Portuguese-based creoles;cps - Capiznon;\
        cpx - Pu-Xian Chinese;cre cr Cree;crg - Michif;crh - Crimean Tatar;crj - Southern East Cree;crk - Plains Cree;crl - Northern East Cree;\
        crm - Moose Cree;crp - Creoles and pidgins;crr - Carolina Algonquian;crs - Seselwa Creole French;csb - Kashubian;csw - Swampy Cree;\
        cus - Cushitic languages;cym/wel cy Welsh;czh - Huizhou Chinese;czo - Min Zhong Chinese;dak - Dakota;dan da Danish;dar - Dargwa;dav - Taita;\
        day - Land Dayak languages;del - Delaware;den - Slave;deu/ger de German;dgr - Dogrib;din - Dinka;div dv Divehi;dje - Zarma;doi - Dogri;\
        dra - Dravidian languages;dsb - Lower Sorbian;dtp - Central Dusun;dua - Duala;dum - Middle Dutch;dyo - Jola-Fonyi;dyu - Dyula;dzg - Dazaga;\
        dzo dz Dzongkha;ebu - Embu;efi - Efik;egl - Emilian;egy - Ancient Egyptian;eka - Ekajuk;ell/gre el Greek;elx - Elamite;eng en English;\
        enm - Middle English;epo eo Esperanto;est et Estonian;esu - Central Yupik;eus/baq eu Basque;ewe ee Ewe;ewo - Ewondo;ext - Extremaduran;fan - Fang;\
        fao fo Faroese;fas/per fa Persian;fat - Fanti;fij fj Fijian;fil - Filipino;fin fi Finnish;fit - Tornedalen Finnish;fiu - Finno-Ugrian languages;\
        fon - Fon;fra/fre fr French;frc - Cajun French;frm - Middle French;fro - Old French;frp - Arpitan;frr - Northern Frisian;frs - Eastern Frisian;\
        fry fy Western Frisian;fsl - French Sign Language;ful ff Fula;fur - Friulian;gaa - Ga;gag - Gagauz;gan - Gan Chinese;gay - Gayo;gba - Gbaya;\
        gbz - Zoroastrian Dari;gem - Germanic languages;gez - Geez;gil - Gilbertese;gla gd Scottish Gaelic;gle ga Irish;glg gl Galician;glk - Gilaki;\
        glv gv Manx;gmh - Middle High German;goh - Old High German;gom - Goan Konkani;gon - Gondi;gor - Gorontalo;got - Gothic;grb - Grebo;grc - Ancient Greek;\
        grn gn Guarani;gsg - German Sign Language;gsw - Swiss German;guc - Wayuu;guj gu Gujarati;gur - Frafra;guz - Gusii;gwi - Gwich'in;hai - Haida;\
        hak - Hakka Chinese;hat ht Haitian Creole;hau ha Hausa;haw - Hawaiian;hax - Southern Haida;hbs sh Serbo-Croatian;heb he Hebrew;her hz Herero;\
        hif - Fiji Hindi;hil - Hiligaynon;him - Western Pahari languages;hin hi Hindi;hit - Hittite;hmn - Hmong;hmo ho Hiri Motu;hnj - Hmong Njua;\
        hrv hr Croatian;hsb - Upper Sorbian;hsn - Xiang Chinese;hun hu Hungarian;hup - Hupa;hur - Halkomelem;hye/arm hy Armenian;iba - Iban;ibb - Ibibio;\
        ibo ig Igbo;ido io Ido;iii ii Sichuan Yi;ijo - Ijo languages;ikt - Western Canadian Inuktitut;iku iu Inuktitut;ile ie Interlingue;ilo - Iloko;\
        ina ia Interlingua;inc - Indic languages;ind id Indonesian;ine - Indo-European languages;inh - Ingush;ipk ik Inupiaq;ira - Iranian languages;\
        iro - Iroquoian languages;isl/ice is Icelandic;ita it Italian;izh - Ingrian;jam - Jamaican Creole English;jav jv Javanese;jbo - Lojban;jgo - Ngomba;\
        jmc - Machame;jpn ja Japanese;jpr - Judeo-Persian;jrb - Judeo-Arabic;jut - Jutish;kaa - Kara-Kalpak;kab - Kabyle;kac - Kachin;kaj - Jju;\
        kal kl Kalaallisut;kam - Kamba;kan kn Kannada;kar - Karen languages;kas ks Kashmiri;kat/geo ka Georgian;kau kr Kanuri;kaw - Kawi;kaz kk Kazakh;\
        kbd - Kabardian;kbl - Kanembu;kcg - Tyap;kde - Makonde;kea - Kabuverdianu;kek - Q'eqchi';ken - Kenyang;kfo - Koro;kgp - Kaingang;kha - Khasi;\
        khi - Khoisan languages;khm km Khmer;kho - Khotanese;khq - Koyra Chiini;khw - Khowar;kik ki Kikuyu;kin rw Kinyarwanda;kir ky Kyrgyz;kiu - Kirmanjki;\
        kkj - Kako;kln - Kalenjin;kmb - Kimbundu;koi - Komi-Permyak;kok - Konkani;kom kv Komi;kon kg Kongo;kor ko Korean;kos - Kosraean;kpe - Kpelle;\
        krc - Karachay-Balkar;kri - Krio;krj - Kinaray-a;krl - Karelian;kro - Kru languages;kru - Kurukh;ksb - Shambala;ksf - Bafia;ksh - Colognian;\
        kua kj Kuanyama;kum - Kumyk;kur ku Kurdish;kut - Kutenai;kwk - Kwak'wala;kxv - Kuvi;lad - Ladino;lag - Langi;lah - Western Panjabi;lam - Lamba;\
        lao lo Lao;lat la Latin;lav lv Latvian;lez - Lezghian;lfn - Lingua Franca Nova;lij - Ligurian;lil - Lillooet;lim li Limburgish;lin ln Lingala;\
        lit lt Lithuanian;liv - Livonian;lkt - Lakota;lmo - Lombard;lol - Mongo;lou - Louisiana Creole;loz - Lozi;lrc - Northern Luri;lsm - Saamia;\
        ltg - Latgalian;ltz lb Luxembourgish;lua - Luba-Lulua;lub lu Luba-Katanga;lug lg Ganda;lui - Luiseno;lun - Lunda;luo - Luo;lus - Mizo;luy - Luyia;\
        lzh - Literary Chinese;lzz - Laz;mad - Madurese;maf - Mafa;mag - Magahi;mah mh Marshallese;mai - Maithili;mak - Makasar;mal ml Malayalam;\
        man - Mandingo;map - Austronesian languages;mar mr Marathi;mas - Masai;mde - Maba;mdf - Moksha;mdr - Mandar;men - Mende;mer - Meru;mfe - Morisyen;\
        mga - Middle Irish;mgh - Makhuwa-Meetto;mgo - Meta';mic - Mi'kmaw;min - Minangkabau;mkd/mac mk Macedonian;mkh - Mon-Khmer languages;mlg mg Malagasy;\
        mlt mt Maltese;mnc - Manchu;mni - Manipuri;mno - Manobo languages;mnp - Min Bei Chinese;moe - Innu-aimun;moh - Mohawk;mon mn Mongolian;mos - Mossi;\
        mri/mao mi Māori;mrj - Western Mari;msa/may ms Malay;mua - Mundang;mun - Munda languages;mus - Muscogee;mwl - Mirandese;mwr - Marwari;mwv - Mentawai;\
        mya/bur my Burmese;mye - Myene;myn - Mayan languages;myv - Erzya;mzn - Mazanderani;nah - Nahuatl languages;nai - North American Indian languages;\
        nan - Min Nan Chinese;nap - Neapolitan;naq - Nama;nau na Nauru;nav nv Navajo;nbl nr South Ndebele;nde nd North Ndebele;ndo ng Ndonga;nds - Low German;\
        nep ne Nepali;new - Newari;nia - Nias;nic - Niger-Kordofanian languages;niu - Niuean;njo - Ao Naga;nld/dut nl Dutch;nmg - Kwasio;nnh - Ngiemboon;\
        nno nn Norwegian Nynorsk;nob nb Norwegian Bokmål;nog - Nogai;non - Old Norse;nor no Norwegian;nov - Novial;npi - Nepali (individual);nqo - N'Ko;\
        nso - Northern Sotho;nub - Nubian languages;nus - Nuer;nwc - Classical Newari;nya ny Nyanja;nym - Nyamwezi;nyn - Nyankole;nyo - Nyoro;nzi - Nzima;\
        oci oc Occitan;ojb - Northwestern Ojibwa;ojc - Central Ojibwa;oji oj Ojibwa;ojs - Oji-Cree;ojw - Western Ojibwa;oka - Okanagan;ori or Odia;\
        orm om Oromo;ory - Odia (individual);osa - Osage;oss os Ossetic;ota - Ottoman Turkish;oto - Otomian languages;paa - Papuan languages;pag - Pangasinan;\
        pal - Pahlavi;pam - Pampanga;pan pa Punjabi;pap - Papiamento;pau - Palauan;pcd - Picard;pcm - Nigerian Pidgin;pdc - Pennsylvania German;\
        pdt - Plautdietsch;peo - Old Persian;pfl - Palatine German;phi - Philippine languages;phn - Phoenician;pis - Pijin;pli pi Pali;pms - Piedmontese;\
        pnt - Pontic;pol pl Polish;pon - Pohnpeian;por pt Portuguese;pqm - Maliseet-Passamaquoddy;pra - Prakrit languages;prg - Prussian;pro - Old Provençal;\
        prs - Dari;pus ps Pashto;pwn - Paiwan;quc - K'iche';que qu Quechua;qug - Chimborazo Highland Quichua;quz - Cusco Quechua;raj - Rajasthani;\
        rap - Rapanui;rar - Rarotongan;rgn - Romagnol;rhg - Rohingya;rif - Riffian;roa - Romance languages;rof - Rombo;roh rm Romansh;rom - Romany;\
        ron/rum ro Romanian;rtm - Rotuman;rue - Rusyn;rug - Roviana;run rn Rundi;rup - Aromanian;rus ru Russian;rwk - Rwa;sad - Sandawe;sag sg Sango;\
        sah - Yakut;sai - South American Indian languages;sal - Salishan languages;sam - Samaritan Aramaic;san sa Sanskrit;saq - Samburu;sas - Sasak;\
        sat - Santali;saz - Saurashtra;sba - Ngambay;sbp - Sangu;scn - Sicilian;sco - Scots;sdc - Sassarese Sardinian;sdh - Southern Kurdish;see - Seneca;\
        seh - Sena;sei - Seri;sel - Selkup;sem - Semitic languages;ses - Koyraboro Senni;sfb - French Belgian Sign Language;sga - Old Irish;\
        sgg - Swiss-German Sign Language;sgn - Sign Languages;sgs - Samogitian;shi - Tachelhit;shn - Shan;shu - Chadian Arabic;sid - Sidamo;sin si Sinhala;\
        sio - Siouan languages;sit - Sino-Tibetan languages;sla - Slavic languages;slh - Southern Lushootseed;sli - Lower Silesian;slk/slo sk Slovak;\
        slv sl Slovenian;sly - Selayar;sma - Southern Sami;sme se Northern Sami;smi - Sami languages;smj - Lule Sami;smn - Inari Sami;smo sm Samoan;\
        sms - Skolt Sami;sna sn Shona;snd sd Sindhi;snk - Soninke;sog - Sogdien;som so Somali;son - Songhai languages;sot st Southern Sotho;spa es Spanish;\
        sqi/alb sq Albanian;srd sc Sardinian;srn - Sranan Tongo;srp sr Serbian;srr - Serer;ssa - Nilo-Saharan languages;ssw ss Swati;ssy - Saho;\
        stq - Saterland Frisian;str - Straits Salish;suk - Sukuma;sun su Sundanese;sus - Susu;sux - Sumerian;swa sw Swahili;swb - Comorian;swc - Congo Swahili;\
        swe sv Swedish;syc - Classical Syriac;syr - Syriac;szl - Silesian;tah ty Tahitian;tai - Tai languages;tam ta Tamil;tao - Yami;tat tt Tatar;\
        tay - Atayal;tce - Southern Tutchone;tcy - Tulu;tel te Telugu;tem - Timne;teo - Teso;ter - Tereno;tet - Tetum;tgk tg Tajik;tgl tl Tagalog;tgx - Tagish;\
        tha th Thai;tht - Tahltan;tig - Tigre;tir ti Tigrinya;tiv - Tiv;tkl - Tokelauan;tkr - Tsakhur;tlh - Klingon;tli - Tlingit;tly - Talysh;tmh - Tamashek;\
        tog - Nyasa Tonga;tok - Toki Pona;ton to Tongan;tpi - Tok Pisin;tru - Turoyo;trv - Taroko;trw - Torwali;tsd - Tsakonian;tsi - Tsimshian;tsn tn Tswana;\
        tso ts Tsonga;tsu - Tsou;ttm - Northern Tutchone;ttt - Muslim Tat;tuk tk Turkmen;tum - Tumbuka;tup - Tupi languages;tur tr Turkish;\
        tut - Altaic languages;tvl - Tuvalu;twi tw Twi;twq - Tasawaq;tyv - Tuvinian;tzm - Central Atlas Tamazight;udm - Udmurt;uga - Ugaritic;uig ug Uyghur;\
        ukr uk Ukrainian;umb - Umbundu;urd ur Urdu;uzb uz Uzbek;vai - Vai;vec - Venetian;ven ve Venda;vep - Veps;vgt - Flemish Sign Language;vie vi Vietnamese;\
        vls - West Flemish;vmf - Main-Franconian;vmw - Makhuwa;vol vo Volapük;vot - Votic;vro - Võro;vun - Vunjo;wae - Walser;wak - Wakashan languages;\
        wal - Wolaytta;war - Waray;was - Washo;wbp - Warlpiri;wen - Sorbian languages;wln wa Walloon;wol wo Wolof;wuu - Wu Chinese;xal - Kalmyk;xho xh Xhosa;\
        xmf - Mingrelian;xnr - Kangri;xog - Soga;yao - Yao;yap - Yapese;yav - Yangben;ybb - Yemba;yid yi Yiddish;yor yo Yoruba;ypk - Yupik languages;\
        yrl - Nheengatu;yue - Cantonese;zap - Zapotec;zbl - Blissymbols;zea - Zeelandic;zen - Zenaga;zgh - Standard Moroccan Tamazight;zha za Zhuang;\
        zho/chi zh Chinese;znd - Zande languages;zul zu Zulu;zun - Zuni;zza - Zaza
        """
}
