/**
 * Keywords that tell what kind of work a request asks for, in about twenty languages: one string per group.
 * A `*` at the end matches any longer word, `_` stands for a space. Keywords of scripts without spaces match
 * anywhere. Lower case. None of them names a tier or a model, so that a prompt cannot ask for one.
 */
export const keywordGroups = {
  /** Proofs and formal arguments. */
  prove: `prove proves proving proof proofs disprove show_that deduce_that verify_that theorem* lemma* corollary
    conjecture* if_and_only_if by_induction durch_induktion vollständiger_induktion par_récurrence por_inducción
    por_indução per_induzione met_inductie по_индукции 归纳法 帰納法 귀납법 بالاستقراء आगमन_विधि tümevarım* przez_indukcję quy_nạp dengan_induksi démontr* prouve* prouvons montrer_que montrez_que théorème* beweis* zeige_dass
    zeigen_sie,_dass zeige,_dass satz_von demuestr* demostr* pruebe_que prueba_que teorema* demonstr* prove_que
    mostre_que dimostr* bewijs* aantoon* toon_aan stelling докаж* доказ* покажите,_что теорем* лемм* доведіть
    证明 證明 求证 定理 引理 証明 示せ 증명 보이시오 정리를 أثبت* برهن* اثبت* مبرهنة सिद्ध_कर* सिद्ध_कीजि* साबित प्रमेय kanıtla*
    ispatla* gösteriniz teoremi udowodni* wykaż* twierdzen* chứng_minh định_lý buktikan* teorema প্রমাণ_কর* উপপাদ্য
    నిరూపించ* సిద్ధాంతం thibitisha nadharia พิสูจน์ ทฤษฎีบท dokažte bizonyíts* αποδείξ* הוכח* bevisa visa_att`,

  /** University mathematics. */
  abstract: `homomorphism* isomorphi* automorphism* abelian topolog* manifold* compact_set compact_space hausdorff
    cauchy banach hilbert galois eigenvalue* eigenvector* subspace* vector_space* linear_map metric_space* finite_group
    subgroup* normal_subgroup ring_of ideal_of noetherian homology cohomology functor* measurable lebesgue holomorphic
    analytic_function uniformly pointwise bijecti* injecti* surjecti* supremum infimum epsilon-delta converges
    convergent diverges continuous differentiable riemann lipschitz open_set closed_set dense_in cyclic_group
    field_extension irreducible homéomorph* groupe_fini espace_vectoriel untergruppe vektorraum stetig* grupo_finito
    espacio_vectorial espaço_vetorial spazio_vettoriale конечн*_групп* подгрупп* векторн* непрерывн* 同态 同构 拓扑 向量空间
    eigenwert* valeur*_propre* autovalor* собственн*_значен* 特征值 固有値 고유값 özdeğer* giá_trị_riêng nilai_eigen wartośc*_własn*
    紧致 连续函数 收敛 子群 準同型 同型 位相空間 ベクトル空間 連続 収束 부분군 동형 위상 벡터공간 수렴`,

  /** School to olympiad mathematics. */
  math: `integer* polynomial* quadratic* equation* inequalit* divisib* divisor* prime primes modulo congruent remainder
    triangle* circle* radius hypotenuse perpendicular parallel polygon* hexagon* pentagon* quadrilateral* tetrahedron
    sphere angle angles probability expected_value combinat* permutation* binomial coefficient* arithmetic_sequence
    geometric_sequence sequence_of recurrence logarithm* exponent* trigonometr* sine cosine tangent derivative* integral
    integrals integrate matrix matrices determinant vector vectors complex_number* real_number* rational_number
    positive_integer* greatest_common least_common perimeter area_of volume_of ellipse parabola hyperbola asymptote*
    square_root cube_root factorial digits_of function_f roots_of sum_of_all ordered_pair* ordered_triple*
    entier* polynôme* équation* inéquation* probabilité* rayon suite_arithm* ganze_zahl* polynom* gleichung* ungleichung
    wahrscheinlichkeit* dreieck* primzahl* teiler entero* polinomi* polinómi* ecuacion* ecuación desigualdad
    probabilidad* triángulo* número_primo números_reales inteiro* equação equações desigualdade probabilidade triângulo*
    equazion* disequazion* probabilità triangol* numeri_interi geheel_getal vergelijking driehoek* kansrekening целы*
    многочлен* уравнен* неравенств* вероятност* треугольник* окружност* прост*_числ* делител* 整数 多项式 方程 不等式 概率
    三角形 质数 素数 余数 数列 函数f 导数 积分 矩阵 正整数 多項式 方程式 確率 数列 微分 積分 行列 정수 다항식 방정식 부등식 확률 삼각형 소수인
    수열 미분 적분 행렬 معادلة معادلات كثيرة_حدود مثلث* احتمال الاحتمال عدد_صحيح متباينة समीकरण बहुपद त्रिभुज प्रायिकता
    पूर्णांक अभाज्य denklem* polinom* üçgen* olasılık* tam_sayı* asal_sayı* równan* wielomian* nierównoś* trójkąt*
    prawdopodobieństw* liczb*_całkowit* phương_trình đa_thức tam_giác xác_suất số_nguyên persamaan segitiga peluang
    bilangan_bulat সমীকরণ বহুপদী ত্রিভুজ সম্ভাবনা পূর্ণসংখ্যা సమీకరణ* త్రిభుజ* సంభావ్యత పూర్ణాంక* mlinganyo pembetatu
    uwezekano สมการ พหุนาม สามเหลี่ยม ความน่าจะเป็น จำนวนเต็ม irrational* wurzel* quadratwurzel* racine_carrée racine_de
    irrationnel* raíz_cuadrada raíz_de raiz_quadrada raiz_de radice_quadrata radice_di irrazional* vierkantswortel
    irrationeel корень корня корни иррациональн* иррационал* 根号 平方根 无理数 無理数 제곱근 무리수 جذر الجذر الجذر_التربيعي نسبي वर्गमूल
    अपरिमेय karekök* irrasyonel pierwiast* niewymiern* căn_bậc vô_tỉ akar_kuadrat irasional বর্গমূল অমূলদ వర్గమూల* అకరణీయ* kipeo
    รากที่สอง อตรรกยะ teilbar* divisível divisibile deelbaar делится делимос* 整除 被整除 割り切れ 나누어떨어 يقبل_القسمة على_القسمة विभाज्य
    bölünebil* podzieln* chia_hết habis_dibagi বিভাজ্য หารด้วย nombre*_premier* números_primos primi primzahlen priemgetal*
    liczb*_pierwsz* số_nguyên_tố bilangan_prima মৌলিক_সংখ্যা ప్రధాన_సంఖ్య จำนวนเฉพาะ 소수가 소수는 소수의 أعداد_أولية الأعداد_الأولية عدد_أولي
    natürliche_zahl* nombre_naturel número_natural número_inteiro натуральн* 自然数 자연수 طبيعي प्राकृत doğal_sayı* liczb*_naturaln*
    số_tự_nhiên bilangan_asli স্বাভাবিক_সংখ্যা จำนวนนับ`,

  /** Questions whose answer is one number from everyday quantities. */
  count: `how_many how_much how_old how_long how_far total altogether each twice thrice half per remaining left_over
    percent more_than fewer times_as combien au_total chacun* chaque moitié pour_cent restant wie_viel* wieviel*
    insgesamt jede* doppelt hälfte prozent übrig cuánto* cuanto* cuánta* cuanta* en_total cada doble mitad por_ciento
    quanto* quanta* quantos no_total metade dobro por_cento quanti in_totale ciascun* metà hoeveel in_totaal elk helft
    procent сколько всего каждый каждая каждую каждого вдвое половин* процент* 多少 几个 多少钱 几天 几周 几小时 几分钟 几次 几元 几岁 几人 几名 几只 几本 几张 几颗 一共 总共 每个 每天 每周
    每月 每小时 两倍 一半 幾個
    いくつ いくら 何個 何人 何本 何枚 何冊 何匹 何時間 何分 何日 何週間 何ヶ月 何円 何ドル 何歳 何回 何キロ 何リットル
    合計 毎日 毎週 残り それぞれ 半分 全部で 얼마 몇_ 몇개 모두 각각 절반 كم مجموع إجمالي كل نصف ضعف بالمئة कितने कितना
    कितनी कुल प्रत्येक आधा आधे दोगुना प्रतिशत kaç toplam her_biri yarısı iki_katı yüzde ile łącznie każdy każda połow*
    procent bao_nhiêu mấy tổng_cộng mỗi một_nửa gấp_đôi phần_trăm berapa total setiap setengah dua_kali persen
    কত কতটি মোট প্রতিটি প্রতি অর্ধেক দ্বিগুণ শতাংশ ఎంత ఎన్ని మొత్తం ప్రతి సగం రెట్టింపు శాతం ngapi jumla kila nusu mara_mbili
    asilimia เท่าไร เท่าไหร่ กี่ ทั้งหมด แต่ละ ครึ่ง สองเท่า เปอร์เซ็นต์`,

  /** Explaining and describing. */
  explain: `explain* why describe how_does how_do how_is difference_between what_is_the_difference meaning_of concept
    expliqu* pourquoi décri* comment_fonctionne erklär* warum wieso beschreib* wie_funktioniert unterschied_zwischen
    explic* explíc* por_qué describ* cómo_funciona diferencia_entre porquê por_que descrev* como_funciona spieg*
    perché descriv* come_funziona differenza_tra uitleg* leg_uit waarom beschrijf verschil_tussen объясн* почему
    опиш* как_работает разниц* чем_отличает* 解释 解釋 为什么 為什麼 说明 說明 区别 描述 说明 なぜ どうして 説明 違いは 설명 왜 차이
    اشرح اشرحي لماذا صف الفرق_بين كيف_يعمل समझा* क्यों वर्णन अंतर açıkla* neden niçin anlat* farkı_nedir wyjaśni*
    dlaczego opisz różnic* giải_thích tại_sao vì_sao mô_tả sự_khác_nhau jelaskan* mengapa kenapa perbedaan ব্যাখ্যা কেন
    পার্থক্য వివరించ* ఎందుకు తేడా eleza kwa_nini tofauti อธิบาย ทำไม แตกต่าง`,

  /** Writing prose. */
  write: `write compose essay* article blog_post story short_story poem lyrics script screenplay speech novel chapter
    cover_letter press_release product_description slogan* dialogue rewrite paraphrase écri* rédig* histoire poème
    dissertation schreib* verfass* aufsatz gedicht geschichte escrib* redact* ensayo cuento poema escrev* redij* redação
    história scriv* saggio racconto poesia schrijf* gedicht verhaal напиш* сочин* эссе стих* рассказ* 写一 写个 写出 撰写 作文
    文章 故事 诗 寫一 書いて 書く 作文 記事 小説 詩を 써줘 작성 에세이 이야기 اكتب اكتبي مقال* قصة قصيدة लिख* निबंध कहानी कविता yaz*
    makale hikaye şiir napisz* wypracowani* opowiadan* wiersz* viết bài_luận bài_thơ tulis* esai cerita puisi লেখ লিখুন
    লিখে প্রবন্ধ গল্প కథ రాయండి వ్యాసం andika insha hadithi เขียน เรียงความ เรื่องสั้น บทกวี`,

  translate: `translate* translation traduis* tradui* traduction übersetz* traduc* traduz* tradu* traduci vertaal*
    vertaling перевед* перевод* 翻译 翻譯 翻訳 訳して 번역 ترجم* अनुवाद çevir* tercüme przetłumacz* tłumacz* dịch terjemah*
    অনুবাদ అనువద* tafsiri แปล`,

  /** Software in general. */
  code: `code function functions class classes program programs programming algorithm* implement* script api apis
    database sql query queries regex json html css python javascript typescript java kotlin rust golang c++ c# php ruby
    swift bash powershell react node.js django flask docker kubernetes linux git excel vba formula pandas numpy pytorch
    tensorflow array arrays list_of string strings method methods variable* loop recursive server client library module
    package compiler codes endpoint repository unit_test* unittest programme fonction* algorithme* implément* funktion*
    programm* algorithmus implementier* función funciones algoritmo* código implement* função funções funzion* codice
    programma functie* programmeer* функци* программ* алгоритм* код кода реализ* 代码 函数 程序 算法 编程 实现 程式 コード 関数
    プログラム アルゴリズム 実装 코드 함수 프로그램 알고리즘 구현 كود دالة برنامج خوارزمية कोड फ़ंक्शन प्रोग्राम एल्गोरिदम kod* fonksiyon*
    algoritma* program* funkcj* algorytm* hàm mã_nguồn thuật_toán lập_trình fungsi kode algoritma কোড ফাংশন প্রোগ্রাম
    అల్గోరిథం కోడ్ ఫంక్షన్ ప్రోగ్రామ్ msimbo programu โค้ด ฟังก์ชัน โปรแกรม อัลกอริทึม`,

  /** Finding and fixing faults. */
  debug: `debug* bug bugs error errors exception exceptions traceback stack_trace fails failing failed crash* not_working
    doesn't_work does_not_work broken fix issue undefined segfault segmentation_fault deadlock race_condition memory_leak
    unexpected wrong_result erreur* corrig* plante fehler* behebe funktioniert_nicht absturz error_en falla corrige
    arregla* no_funciona erro conserta* não_funciona errore correggi non_funziona fout werkt_niet ошибк* исправ*
    не_работает падает 错误 报错 修复 调试 崩溃 不工作 エラー バグ 修正 動かない 오류 에러 버그 고쳐 수정 خطأ أصلح لا_يعمل त्रुटि गलती_ठीक
    hata* düzelt* çalışmıyor błąd* napraw* nie_działa lỗi sửa không_hoạt_động kesalahan perbaiki tidak_berfungsi
    ত্রুটি ঠিক_কর లోపం సరిచేయ kosa rekebisha ข้อผิดพลาด แก้ไข ไม่ทำงาน`,

  /** Improving what exists. */
  improve: `refactor* optimi* improve simplify performance speed_up faster efficient migrate* rewrite convert upgrade
    clean_up review restructure améliore* optimis* verbesser* optimier* mejora* optimiza* melhore* otimiz* miglior*
    ottimizz* verbeter* улучш* оптимиз* рефактор* 优化 重构 改进 提高 最適化 リファクタ 改善 최적화 리팩 개선 حسّن تحسين बेहतर सुधार
    iyileştir* optimize ulepsz* zoptymalizuj* popraw* tối_ưu cải_thiện optimalkan tingkatkan উন্নত మెరుగు boresha
    ปรับปรุง`,

  /** Designing and planning. */
  design: `design* architect* plan planning strategy strategies roadmap framework proposal curriculum itinerary
    business_plan workflow pipeline system_that create_a build_a develop* devise propose outline campaign schema
    conception stratégie planifi* conçois concevez entwirf* entwurf strategie plan_für entwickle* diseñ* estrategia
    desarroll* plan_de projet* estratégia desenvolv* elabor* progett* strategia svilupp* ontwerp* ontwikkel* спроектир*
    стратеги* разработ* план 设计 规划 方案 策略 计划 架构 開発 設計 計画 戦略 企画 설계 전략 계획 기획 개발 صمم استراتيجية خطة طوّر
    डिज़ाइन रणनीति योजना tasarla* strateji* planla* geliştir* zaprojektuj* strategi* opracuj* zaplanuj thiết_kế
    chiến_lược kế_hoạch rancang* strategi rencana kembangkan পরিকল্পনা নকশা কৌশল ప్రణాళిక రూపొందించ* mpango buni mkakati
    ออกแบบ แผน กลยุทธ์ พัฒนา`,

  /** Comparing and evaluating. */
  analyse: `analy* compare comparison contrast evaluate assess critique pros_and_cons advantages disadvantages trade-off*
    tradeoff* implications summarize_the discuss examples_of best_way
    what_are_the vergleich* analysier* bewerte* vor-_und_nachteile compar* analiz* evalúa* evalua* ventajas
    analis* avalie vantagens confront* valuta vantaggi vergelijk*
    voordelen avantages_et сравн* анализ* проанализ* оцен* преимуществ* 比较 分析 评估 优缺点 比較 評価
    メリット 비교 분석 평가 장단점 قارن حلل تحليل قيّم مزايا तुलना विश्लेषण मूल्यांकन karşılaştır*
    değerlendir* avantaj* porówna* przeanalizuj* oceń so_sánh phân_tích đánh_giá
    bandingkan analisis evaluasi তুলনা বিশ্লেষণ పోల్చ* విశ్లేష* linganisha changanua
    เปรียบเทียบ วิเคราะห์`,

  /** Everyday requests to an assistant. */
  daily: `weather alarm timer remind reminder* calendar meeting appointment* schedule_a play song music playlist volume
    lights lamp thermostat turn_on turn_off text_message send_a call_my email emails inbox news joke traffic restaurant*
    recipe* recipes calories shopping_list to-do todo_list flight hotel taxi uber time_is_it what_time what_day today
    tomorrow tonight spell synonym define currency exchange_rate birthday vacation météo alarme rappel* réunion joue
    musique chanson allume éteins recette courriel demain wetter wecker erinner* termin* spiel* musik lied licht
    einschalten ausschalten rezept morgen nachrichten tiempo_hace clima alarma recuérd* recuerd* reunión pon_ canción
    música enciende apaga receta correo mañana noticias lembr* despertador reunião toque música ligue desligue amanhã
    notícias sveglia ricorda* riunione riproduci canzone accendi spegni ricetta domani notizie weer wekker herinner*
    afspraak speel muziek zet_ погод* будильник* напомн* встреч* включи* выключи* поставь песн* музык* новост* рецепт*
    завтра 天气 闹钟 提醒 会议 播放 歌 音乐 打开 关掉 关闭 新闻 日程 邮件 食谱 明天 今天 天気 アラーム リマインド 会議 再生 曲 音楽 つけて
    消して ニュース 予定 メール レシピ 明日 今日 날씨 알람 알려줘 회의 노래 음악 틀어 켜줘 꺼줘 뉴스 일정 이메일 내일 오늘 الطقس منبه المنبه
    ذكرني اجتماع شغل أغنية موسيقى أطفئ الأخبار بريد وصفة غدا मौसम अलार्म याद_दिला* मीटिंग बजाओ चलाओ गाना संगीत लाइट बंद_करो
    समाचार ईमेल रेसिपी कल hava_durumu alarm* hatırlat* toplantı çal şarkı* müzik ışık* kapat aç haber* yarın pogod*
    budzik* przypomn* spotkani* odtwórz zagraj włącz wyłącz piosenk* muzyk* wiadomoś* przepis jutro thời_tiết báo_thức
    nhắc cuộc_họp phát bài_hát nhạc bật tắt tin_tức ngày_mai cuaca ingatkan rapat putar lagu musik nyalakan matikan
    berita besok আবহাওয়া অ্যালার্ম মনে_করি* গান চালাও বাজাও খবর আগামীকাল వాతావరణ* అలారం గుర్తు పాట సంగీతం వార్తలు రేపు
    hali_ya_hewa kengele kumbusha wimbo muziki cheza habari kesho อากาศ นาฬิกาปลุก เตือน ประชุม เพลง เปิด ปิด ข่าว พรุ่งนี้`,

  /** Everyday requests to a bank, a shop or a support desk. */
  service: `my_card card bank account* balance transfer* payment* refund* top_up top-up pin atm cash withdraw* charge
    charged fee fees declined verify_my identity_check cancel_my order_status my_order shipping delivery subscription invoice_for
    my_password customer_service book_a reserve credit_card credit_score loan mortgage insurance bill bills carte compte
    virement remboursement karte konto überweis* guthaben tarjeta cuenta saldo transferenc* reembolso cartão conta
    pagamento carta bankrekening betaling карт* счет* счёт* перевод_ баланс возврат 银行 卡 账户 余额 转账 退款 订单 銀行 口座 カード
    残高 振込 은행 계좌 카드 잔액 환불 بطاقة حساب رصيد تحويل खाता कार्ड बैलेंस रिफंड kart* hesap bakiye iade karta konto przelew
    thẻ tài_khoản số_dư kartu rekening saldo কার্ড অ্যাকাউন্ট ఖాతా కార్డు akaunti kadi บัตร บัญชี ยอดเงิน`,

  /** Small talk. */
  chat: `hello hi hey thanks thank_you good_morning good_night how_are_you who_are_you what_is_your_name your_name bye
    goodbye are_you bonjour merci salut hallo danke hola gracias olá obrigad* ciao grazie bedankt dank_je привет спасибо
    你好 谢谢 您好 こんにちは ありがとう 안녕 감사 مرحبا شكرا नमस्ते धन्यवाद merhaba teşekkür* cześć dzięki dziękuj* xin_chào
    cảm_ơn halo terima_kasih হ্যালো ধন্যবাদ నమస్కారం ధన్యవాదాలు habari_yako asante สวัสดี ขอบคุณ`,

  /** Background tasks of clients. */
  chore: `title for_this_conversation this_conversation new_topic isnewtopic one_sentence in_one_sentence max_6_words
    in_three_words classify* categori* sentiment detect_the_language language_of commit_message branch_name
    notification one_word yes_or_no tags keywords_for short_title concise_title summarize summarise in_two_sentences
    this_chat the_chat this_session this_message the_message last_message the_conversation reply_with answer_with respond_with
    output_only reply_only answer_only only_the code_only digit_only one_per_line one_line single_line status_line* subject_line*
    follow-up_questions file_name filename folder_name search_query slug headline heading words_or_less words_or_fewer
    at_most_ten at_most_five up_to_ten spam tone_of keywords this_text the_text cette_conversation ce_message dieses_gespräch
    diese_unterhaltung dieser_unterhaltung diesem_gespräch esta_conversación este_mensaje esta_conversa esta_mensagem
    questa_conversazione dit_gesprek эта_беседа для_чата этого_чата разговор* 这段对话 该对话 对话的 この会話 次の文章 이_대화 المحادثة बातचीत tej_rozmowy
    bu_konuşma cuộc_trò_chuyện percakapan
    in_a_few_words passive_voice grammar spelling rephrase_this fix_the_spelling resume_en résume_en zusammenfass* fasse_ resume_este
    riassumi vat_samen podsumuj özetle кратко сократи 总结 概括 要約 요약 لخص सारांश tóm_tắt ringkas సారాంశం সারাংশ สรุป muhtasari titre_court titre_pour kurzen_titel
    titel_für título_corto título_para título_breve titolo_breve korte_titel заголовок 标题 一句话 タイトル 一文で 제목 한_문장
    عنوان_قصير शीर्षक kısa_başlık başlık tytuł tiêu_đề judul শিরোনাম శీర్షిక kichwa หัวข้อ ชื่อเรื่อง`,

  /** Logic puzzles. */
  puzzle: `puzzle* riddle* clue clues exactly_one knights knaves truth-teller logic_grid houses each_person each_house truth-tellers liars lies every_person different_from
    neighbor neighbour to_the_left_of to_the_right_of next_to sudoku crossword brain_teaser deduce who_owns énigme*
    indice* rätsel* hinweis* acertijo* pista* enigma indizi raadsel* головоломк* загадк* подсказк* 谜题 线索 逻辑题 パズル
    手がかり ヒント 퍼즐 단서 수수께끼 لغز ألغاز पहेली bulmaca* ipucu* zagadk* łamigłów* câu_đố teka-teki ধাঁধা చిక్కు kitendawili
    ปริศนา
    left_of right_of neither in_front_of exactly_once exactly_two all_different which_order what_order tells_the_truth
    telling_the_truth tell_the_truth truthful liar lying knight knave logic_problem who_has who_sits who_lives lives_on
    lives_in_the each_has top_to_bottom left_to_right directly_behind directly_above directly_below directly_before
    immediately_before immediately_after weighings jugs ferryman minesweeper nonogram kakuro must_come_before not_at_an_end
    links_von rechts_von lügt lügner* sagt_die_wahrheit wem_gehört wohnt_zwischen ment dit_la_vérité à_gauche_de à_droite_de
    menteur* miente dice_la_verdad a_la_izquierda a_la_derecha mentiroso* diz_a_verdade à_esquerda à_direita a_sinistra_di
    a_destra_di bugiard* dice_il_vero liegt spreekt_de_waarheid links_van rechts_van naast_de лжёт лжец* лжецы рыцар* слева_от
    справа_от говорит_правду 说谎 说真话 真话 左边 右边 相邻 各不相同 嘘つき 正直者 左隣 右隣 거짓말 왼쪽 오른쪽 يكذب الحقيقة يسار يمين yalan*
    doğru_söyl* solunda sağında yan_yana kłami* mówi_prawdę na_lewo na_prawo nói_dối nói_thật bên_trái bên_phải झूठ बाएँ दाएँ`,

  /** Multiple choice. */
  choice: `which_of_the_following following_statements all_of_the_above none_of_the_above both_a_and_b correct_answer
    true_or_false lequel_des_suivants laquelle_des welche_der_folgenden cuál_de_las_siguientes cuál_de_los_siguientes
    qual_das_seguintes qual_dos_seguintes quale_delle_seguenti quale_dei_seguenti welke_van_de_volgende какой_из_следующ*
    какое_из 下列 以下哪 下面哪 次のうち 다음_중 أي_مما_يلي أي_من_التالي निम्नलिखित_में_से aşağıdakilerden_hangisi
    które_z_poniższych który_z_następujących phát_biểu_nào sau_đây manakah_dari নিচের_কোনটি কোনটি క్రింది_వాటిలో ipi_kati_ya
    ข้อใด`,

  /** Natural sciences and engineering. */
  science: `energy velocity acceleration momentum electron* proton* quantum thermodynamic* entropy enthalpy molecule*
    molecular atom atoms reaction reactions acid equilibrium oxidation wavelength frequency magnetic electric circuit
    voltage capacitor resistor protein* gene genes dna rna enzyme* cell cells mutation species isotope* orbital spin
    wave_function relativity gravity planet stars galaxy kinetic organic synthesis nmr spectr* catalyst énergie vitesse
    energie geschwindigkeit energía velocidad energia velocità энерги* скорост* 能量 速度 电子 分子 反应 エネルギー 電子 분자 에너지
    طاقة ऊर्जा enerji energii năng_lượng energi`,

  /** Professional knowledge: law, medicine, finance, philosophy. */
  expert: `plaintiff defendant court statute contract liability jurisdiction tort negligence constitution* amendment
    patient symptoms diagnosis treatment disease syndrome clinical dose tumor cancer chronic monetary fiscal inflation
    supply demand equilibrium_price marginal elasticity bond bonds portfolio depreciation accounting audit ethic* moral
    utilitarian* kant epistem* argument premise premises validity fallacy psycholog* cognitive sociolog* treaty
    sovereign* hypothesis regression variance statistic* gdp`,

  /** Predicting what a program prints or returns. */
  trace: `output_of what_is_the_output what_will_be_printed what_does_this what_does_the_following return_value
    will_print prints assert result_of_running following_code given_the_function`,

  /** A role to play or an artifact to generate. */
  role: `act_as you_are_a you_will_be imagine_you pretend assume_the_role suppose_you role_of
    generate provide give_me_a_list list_of_ ideas_for table_of with_examples agis_comme tu_es_un handle_als du_bist_ein
    actúa_como eres_un aja_como você_é_um agisci_come sei_un gedraag_je_als представь ты_— 扮演 假设你是 你是一 ロールプレイ
    あなたは 역할 당신은 تصرف_ك أنت_ تخيل कल्पना_कर आप_एक gibi_davran wyobraź_sobie đóng_vai hãy_tưởng_tượng bertindaklah
    bayangkan`,

  /** Systems, networks, data and tools around programming. */
  tech: `server servers network router wifi config configuration configure ubuntu debian windows macos vm cloud aws azure
    gcp gpu cpu vram ram device_driver* kernel shell_script* ssh dns ip http https tcp udp socket rest_api* restful frontend backend fullstack
    css vue vue3 angular next.js tailwind express.js laravel symfony spring_boot django fastapi ruby_on_rails android ios xcode flutter
    spreadsheet dataset datasets dataframe csv yaml xml json toml neural network_architecture transformer transformers llm
    llms embedding embeddings gradient machine_learning deep_learning reinforcement classifier blockchain
    solidity smart_contract ethereum matlab latex svg terraform ansible jenkins ci/cd github gitlab nginx apache redis
    kafka rabbitmq mongodb postgres postgresql mysql sqlite elasticsearch graphql oauth jwt encryption cryptograph*
    microservice* serverless lambda container_image* cluster monorepo webpack vite npm pip conda awk sed grep
    jq cron verilog fpga vhdl arduino esp32 raspberry firmware opencv cuda simulink simulate simulation robot* sensor
    red-black b-tree avl linked_list hash_map hash_table lock-free mutex thread threads multithread* concurren* async coroutine*
    property-based integration_test* dependency_injection design_pattern* middleware lexer interpreter emulator allocator
    garbage_collect* websocket* grpc orm migration migrations webassembly wasm scheduler caching rate_limit* idempoten* replication
    sharding raft paxos consensus event-driven event_sourcing message_queue distributed load_balanc* observability tracing
    plugin browser_extension* chrome_extension* chatbot scraper scraping parse parser dashboard login authentication template templates
    serveur réseau serveurs netzwerk datenbank* servidor red_neuronal base_de_datos banco_de_dados rete database
    сервер* сеть базы_данных нейросет* нейронн* 服务器 数据库 网络 神经网络 机器学习 深度学习 框架 部署 接口 サーバー データベース ネットワーク
    機械学習 ニューラル 서버 데이터베이스 네트워크 머신러닝 딥러닝 배포 خادم قاعدة_بيانات قاعدة_البيانات الشبكة सर्वर डेटाबेस नेटवर्क
    sunucu veritabanı ağ serwer* baz_danych bazy_danych sieć máy_chủ cơ_sở_dữ_liệu basis_data jaringan ডাটাবেস সার্ভার
    డేటాబేస్ సర్వర్ hifadhidata seva ฐานข้อมูล เซิร์ฟเวอร์`,

  /** Business, politics, teaching, research and other professional writing. */
  profession: `company companies startup market marketing customers stakeholders policy policies economy economic economics
    political philosophy philosophical historical history_of research thesis paper patent legal clause lesson students
    teacher curriculum course project projects manager team hypothesis literature cultural society social ethical ethics
    environment sustainab* industry investment investor financial leadership negotiat* campaign audience brand seo
    character characters plot scene dnd campaign world-building worldbuilding game_master charsheet screenplay
    entreprise marché politique économi* unternehmen markt wirtschaft* politisch* empresa mercado econom* política
    impresa mercato política компани* рынок рынк* экономик* экономич* политик* истори* 公司 企业 市场 营销 经济 政治 历史 社会
    研究 論文 企業 市場 経済 歴史 회사 기업 시장 경제 역사 정치 شركة سوق السوق اقتصاد الاقتصادية تاريخ कंपनी बाज़ार व्यवसाय इतिहास
    अर्थव्यवस्था şirket pazar ekonomi tarih firm* rynek gospodark* công_ty thị_trường kinh_tế perusahaan pasar bisnis
    ekonomi ব্যবসা বাজার অর্থনীতি వ్యాపార* biashara soko ธุรกิจ ตลาด เศรษฐกิจ`,

  /** Fetching, finding, booking or calculating one thing. */
  lookup: `find get fetch search look_up lookup calculate compute convert book reserve check retrieve show_me tell_me
    give_me provide_me list_all status_of price_of latest current trouve* cherche* calcule* convertis réserve* finde suche
    berechne buche zeig busca encuentra calcula convierte reserva muestra procure encontre calcule reserve mostre trova
    cerca calcola prenota mostra zoek bereken reserveer найди найти посчитай рассчитай забронируй покажи переведи 查询 查找
    搜索 计算 预订 帮我 搜尋 調べて 検索 探して 計算して 予約 教えて 찾아 검색 계산 예약 알려줘 ابحث احسب احجز أوجد खोजो ढूंढ* गणना बताओ
    bul ara hesapla rezervasyon znajdź wyszukaj oblicz zarezerwuj pokaż tìm tính đặt cho_tôi cari hitung pesan tampilkan
    খুঁজ* গণনা বলো కనుగొన* లెక్కించ* tafuta hesabu ค้นหา คำนวณ จอง บอก`,

  /** Words between steps that build on each other. */
  sequel: `then after_that afterwards next finally once_you once_that following_that and_also as_well ensuite puis dann
    danach anschließend luego después depois em_seguida poi quindi daarna затем потом 然后 接着 之后 そして その後 次に
    그런_다음 그리고 ثم بعد_ذلك फिर उसके_बाद sonra ardından następnie potem sau_đó lalu kemudian তারপর తర్వాత kisha จากนั้น`,
  /**
   * Urging and flattery: no feature counts them. They are listed because the longest keyword wins, so the words
   * inside them are not taken for keywords of other groups.
   */
  urge: `step_by_step step-by-step think_step_by_step think_carefully think_hard think_hard_about think_deeply
    reason_carefully reason_step_by_step take_a_deep_breath be_thorough be_very_thorough be_as_thorough take_your_time
    very_important extremely_important this_is_important this_is_urgent my_career my_job_depends best_reasoning
    double_check double-check in_detail in_great_detail detailed_answer comprehensive_answer comprehensive_and_detailed
    comprehensive,_detailed thorough_answer as_detailed_as carefully_and world-class you_are_a_world-class you_are_an_expert
    you_are_the_best you_are_a_leading you_are_a_renowned you_are_a_genius you_are_a_senior you_are_a_professor
    act_as_an_expert act_as_a_senior act_as_a_world-class act_as_a_professor as_an_expert as_a_senior imagine_you_are_an_expert
    schritt_für_schritt denk_gut_nach sehr_wichtig ausführliche_antwort du_bist_ein_experte du_bist_ein_weltklasse
    étape_par_étape réfléchis_bien très_important tu_es_un_expert réponse_détaillée paso_a_paso piensa_bien muy_importante
    eres_un_experto respuesta_detallada passo_a_passo pensa_bem muito_importante você_é_um_especialista ragiona_bene
    molto_importante sei_un_esperto stap_voor_stap heel_belangrijk шаг_за_шагом подумай_хорошо очень_важно ты_эксперт
    一步一步 一步步 仔细思考 非常重要 你是专家 你是一位专家 ステップバイステップ よく考えて とても重要 段階的に 단계별로 차근차근 매우_중요
    خطوة_بخطوة فكر_جيدا مهم_جدا चरण_दर_चरण ध्यान_से_सोच* बहुत_महत्वपूर्ण adım_adım dikkatlice_düşün çok_önemli krok_po_kroku
    bardzo_ważne từng_bước rất_quan_trọng langkah_demi_langkah sangat_penting ধাপে_ধাপে దశలవారీగా hatua_kwa_hatua ทีละขั้นตอน`,
} as const satisfies Record<string, string>;

/** Name of a group; features of `POST /api/route` are called after it. */
export type KeywordGroup = keyof typeof keywordGroups;

/** The groups in the order in which keyword counts are stored: `Object.keys` of a literal gives exactly its keys. */
export const keywordGroupNames: readonly KeywordGroup[] = Object.keys(
  keywordGroups,
) as KeywordGroup[];
