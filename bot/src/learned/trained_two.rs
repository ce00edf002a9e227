//! The network in use for two colours, which [`Network`](crate::learned::networks::Network) parses.
//!
//! `tuner learn` trained it. The options were Training { epochs: 20, batch: 64, rate: 0.003,
//! decay: 0.2, even: 0.05, seed: 1 }, on 64,793 groups. For 7,149 groups held out, it reported with
//! the base alone "loss 2.9124, first 0.139, correlation 0.197; with values 0.104", and with the
//! network "loss 1.6397, first 0.491, correlation 0.815; with values 0.672".
//!
//! All data came from games with --profile few and the weights 00000000a3eb373f. In the first three
//! data sets, the profile few had two colours, and the games were played with the network
//! 000000009d57c809, which had learned from the other sets. In the other sets, the profile had two
//! or three colours, and the games were played with the network 000000009f330bd1 for any number of
//! colours.
//!
//! * --columns 260 --width-of-beam 300, Sampling { every: 4, ahead: 3, survivors: 13, cut: 6 }:
//!   16,635 groups.
//! * --columns 260 --width-of-beam 100, the same sampling: 14,424 groups.
//! * --columns 250 --width-of-beam 100, Rollouts { every: 4, ahead: Ahead { columns: 12, width: 30
//!   }, survivors: 8, cut: 4 }: 11,376 groups.
//! * --columns 260 --width-of-beam 400, the same sampling: 22,357 groups.
//! * --columns 260 --width-of-beam 100, the same sampling: 22,267 groups.
//! * --columns 250 --width-of-beam 100, the same rollouts: 14,162 groups.

/// The network as text.
pub const TRAINED_TWO: &str = "OXO`OQP&O_O^O^OPOOOOOOOnOVOTOTOOOSORO^QzO^O|OXOPOdSpOPOPOPOPOOOOOOOQOQOPOPOOOQOPORPOOYOWOROOOXOiQ.OSOOOQOOOPOQPTOiOZO^OeOSOhOPOQOfPyOVO[P>OTOOOVOROtOLOXOAP!O@PMOHQ8O[OZOQOTONOUOOOWOMP$OPOaOWOQPJgPIoS:(OZNO^[O^.O^(Q.<Q7AQ],QiaOUyOo:Oo2OoUQvdPBUPYzOc5OPyOe OTuOw%PXPO`5OOwPe7Q:`Q:yQ`mQHzS$XRt!P;yPJwQ,eQ+5R:jPl9QO?P0MOQYOaXOuOPO4S:(OoFOV&OQ:P@6QvdP`0QMGPV*P1wOSmOg[Ov$P!:Oe(P#POiuQB{PXwO]-OPKOviO]cOQ5P#DPNNP#KPRUOU*ORHOR^OPhOPgOPIOPFOP8OP4OoUOxXPm_Oq5O~JOo>P&QOmxP!*OYQOv2OmGOZbP9PeZ]nfFPSaVP[j@~OkSpMMN`^sUXRY^`TR`2&OXNh<8T`ZMa,eI#b[Im18VgBNV(XON_NQLFPXPGVKRRQN^S+MVOcN@QaPNPAQFBLQXZMKOQI[PV>GOZPSPMOTLKPRP@NSNDNQPQQINNNMKPOUKNNRKXLTWTNFNT^K^N0LVEaR>I`HOYDRODGN3NJ=GFE@NGOPVK>QOU]UKX^IPUKPOSMOOQOTXOLIJVSOOPTOPLRXEKOKOPFOPNPPOONONPOOOVQPLLCOOONOROKOLSMOOPJOONNNPLPPOLLOOOONONRKOQOPOMSMNTRNOMNTPMNPQMQOPQMNPPRRMPPNNKOMRETQQUUIUQNRNMLORPZRLNNKLTRRUMROKYELNSMQMOIFQLUOOQLLQRLTOTNPR]NOOONPOOMLLPNPNNOOT_]LICGUVKI]TKZPTO~LNGDYoJMYUL{QOKEVLNO@>GMUQPUSMW?lUMRE7CGYUHGO]SlRLOeP~MiPWEPONIMMOPONOOPNQHOQ tHK4J uJU F~rn=@9.EM9G8;4Eaac<TQ<BNPMMAENOVMJSONOFMQXOLIAJNNNPR]T,OWQaL;PaOOXCI0HJPODIMK@FMO?KO!QTJLBIRSFAPYKWKGX[FH?EWYHASVV^FD^lAA:;``DDWXicYKTVNPKPLWTQEcRTIO>VROQRDTLNWL@QNNKKNNGNDKLNKTMTNKPKORRNLNOLIVLCPP@SNNOQIPPOON_NNQN[N OVOUPUQROLRMAX&VSKC^X@bLSTOpiOeWO<mOt:O/ O:gORJP)rc0JocA_)FC[sDLI{P&OKOdO3ONP'P>O/OGOVOXO{OfNJNROWO`OQOcO:O3O{OZOIOOOPOdOcOiO0OROSOROcOTOSOWOEO;OQO]OMOGOzOPOfOeOQO[OhOWOLO/ORO@O$OdOVOrOZO9PdOHOVOJLCNCNBO]OOOAOPO`OvOEOVO)O.O$NkNRNEO;O>NpOrOJOdO7OBOZOTOVOKONOM";
