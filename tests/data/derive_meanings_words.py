"""The knowledge of derive_meanings.py besides WordNet, jieba's dictionary and the rows that were chosen by hand: rows of whole
categories, characters by subject, plainly pleasant and unpleasant words, common names.

The eight numbers are those of core/text/meaning.inc: living person thing place time action feeling mind.
"""

ENGLISH_CATEGORIES = {
    'noun.Tops': (.3, .2, .6, .3, .1, .1, 0, .3), 'noun.act': (.2, .3, .1, .1, .15, .9, .05, .3),
    'noun.animal': (1.2, 0, .1, .15, 0, .3, 0, 0), 'noun.artifact': (0, .1, 1.15, .2, 0, .1, .05, .05),
    'noun.attribute': (.1, .25, .5, .1, .1, .05, .1, .7), 'noun.body': (.8, .4, .75, .1, 0, .2, 0, 0),
    'noun.cognition': (0, .3, .3, 0, 0, .1, .1, 1.1), 'noun.communication': (0, .35, .5, 0, .05, .15, .1, 1),
    'noun.event': (.1, .3, .1, .2, .7, .8, .1, .1), 'noun.feeling': (.35, .45, 0, 0, .05, .1, 0, .4),
    'noun.food': (.4, .05, 1.1, .05, .1, .1, .25, 0), 'noun.group': (.2, 1, .2, .5, 0, .1, 0, .2),
    'noun.location': (.1, .2, .2, 1.15, .05, .05, .05, .05), 'noun.motive': (.1, .4, 0, 0, 0, .3, .2, .9),
    'noun.object': (.15, 0, .5, 1, .05, .05, .05, 0), 'noun.person': (.45, 1.1, 0, .05, 0, .2, .05, .3),
    'noun.phenomenon': (.1, 0, .4, .6, .3, .6, 0, .1), 'noun.plant': (.95, 0, .6, .45, .05, 0, .15, 0),
    'noun.possession': (0, .35, .95, .15, .05, .2, .1, .35), 'noun.process': (.3, .05, .3, .1, .4, .9, 0, .1),
    'noun.quantity': (0, .1, .75, .1, .4, 0, 0, .75), 'noun.relation': (0, .35, .4, .3, .15, .05, 0, .75),
    'noun.shape': (0, 0, .9, .5, 0, 0, .05, .4), 'noun.state': (.4, .35, .05, .15, .35, 0, 0, .45),
    'noun.substance': (.1, 0, 1.1, .25, 0, .05, 0, 0), 'noun.time': (0, .05, .05, .1, 1.2, .05, .05, .1),
    'verb.body': (.75, .35, .15, .1, .15, .7, .1, 0), 'verb.change': (.1, .15, .35, .1, .35, 1, 0, .1),
    'verb.cognition': (.1, .45, .1, 0, .05, .35, .05, 1.1), 'verb.communication': (.1, .6, .1, 0, .05, .5, .05, .95),
    'verb.competition': (.3, .55, .1, .1, .1, 1, 0, .2), 'verb.consumption': (.7, .15, .55, .05, .1, .8, .15, 0),
    'verb.contact': (.2, .15, .6, .25, .05, 1, 0, 0), 'verb.creation': (.1, .35, .65, .05, .1, .95, .1, .35),
    'verb.emotion': (.3, .55, 0, 0, .05, .35, 0, .25), 'verb.motion': (.4, .1, .05, .55, .1, 1.05, .05, 0),
    'verb.perception': (.4, .25, .2, .15, .05, .5, .1, .8), 'verb.possession': (.1, .5, .6, 0, .05, .9, .1, .1),
    'verb.social': (.15, .8, .05, .15, .1, .8, .05, .3), 'verb.stative': (.15, .15, .3, .3, .4, .5, .05, .25),
    'verb.weather': (.05, 0, .4, .7, .5, .7, -.1, 0), 'adj.all': (.15, .25, .45, .15, .1, .1, 0, .25),
    'adj.pert': (.1, .3, .35, .2, .05, .05, 0, .55), 'adj.ppl': (.1, .2, .4, .1, .1, .4, 0, .1),
    'adv.all': (.05, .2, .1, .1, .35, .5, 0, .3),
}

# Words below these have a more specific row than their category. Each key is the first sense of the word in that category.
ENGLISH_HYPERNYMS = {
    'building/noun.artifact': (.05, .35, .5, 1.05, 0, -.05, .1, .05), 'structure/noun.artifact': (0, .15, .75, .8, 0, 0, 0, 0),
    'way/noun.artifact': (0, .1, .3, 1.15, .05, .35, 0, 0), 'facility/noun.artifact': (0, .3, .5, .9, 0, .1, 0, .1),
    'area/noun.artifact': (0, .2, .4, 1.1, .05, 0, .05, 0), 'vehicle/noun.artifact': (-.1, .2, 1, .4, .05, .6, .1, 0),
    'device/noun.artifact': (-.1, .05, 1.15, .05, 0, .3, 0, .1), 'machine/noun.artifact': (-.2, 0, 1.15, .1, .05, .5, 0, .2),
    'clothing/noun.artifact': (.1, .45, 1.1, .05, .05, 0, .15, 0), 'furniture/noun.artifact': (0, .2, 1.1, .35, 0, 0, .1, 0),
    'container/noun.artifact': (0, .05, 1.15, .3, 0, .05, 0, 0), 'musical_instrument/noun.artifact': (0, .25, 1.05, 0, 0, .3, .35, .45),
    'weapon/noun.artifact': (0, .2, 1.05, 0, 0, .5, -.4, 0), 'tool/noun.artifact': (0, .15, 1.15, 0, 0, .4, 0, .05),
    'plaything/noun.artifact': (.1, .35, 1.05, 0, 0, .4, .4, 0), 'drug/noun.artifact': (.2, .2, 1, 0, 0, .1, -.1, .1),
    'fabric/noun.artifact': (.05, .2, 1.15, .05, 0, 0, .1, 0), 'creation/noun.artifact': (0, .3, .85, .05, .1, .1, .2, .6),
    'ball/noun.artifact': (0, .1, 1.1, 0, 0, .45, .2, 0), 'road/noun.artifact': (0, .1, .3, 1.15, .05, .4, 0, 0),
    'publication/noun.communication': (0, .25, .9, .05, .1, 0, .1, .8),
    'body_of_water/noun.object': (.3, 0, .4, 1.1, .1, .35, .1, 0), 'celestial_body/noun.object': (.05, 0, .5, .85, .6, .05, .2, .05),
    'beverage/noun.food': (.2, .1, 1.05, .1, .1, .15, .25, 0), 'meal/noun.food': (.5, .3, .8, .1, .55, .3, .3, 0),
    'fruit/noun.plant': (.45, 0, 1.1, .1, .1, 0, .35, 0), 'tree/noun.plant': (1, 0, .5, .6, 0, 0, .1, 0),
    'relative/noun.person': (.5, 1.05, 0, .15, .05, .1, .45, .05), 'professional/noun.person': (.35, 1.05, 0, .15, 0, .25, .05, .5),
    'worker/noun.person': (.35, 1.05, .15, .15, 0, .4, 0, .25), 'leader/noun.person': (.25, 1.15, .1, .3, 0, .25, 0, .3),
    'bad_person/noun.person': (.35, 1, 0, .05, 0, .3, -.7, .1), 'criminal/noun.person': (.35, 1, 0, .1, 0, .4, -.7, 0),
    'child/noun.person': (.7, .95, 0, 0, .15, .3, .3, 0), 'performer/noun.person': (.4, 1.05, 0, .05, 0, .45, .3, .35),
    'enemy/noun.person': (.35, 1, 0, .05, 0, .45, -.8, .1), 'traveler/noun.person': (.4, 1, 0, .45, .05, .5, .05, .1),
    'illness/noun.state': (.65, .35, .05, 0, .25, 0, -.9, 0), 'pain/noun.cognition': (.6, .35, 0, 0, .1, .05, -1.05, .15),
    'bird/noun.animal': (1.15, 0, 0, .35, .05, .4, .15, 0), 'fish/noun.animal': (1.15, 0, .25, .3, 0, .3, 0, -.1),
    'insect/noun.animal': (1.1, 0, .2, .2, 0, .35, -.2, 0), 'game/noun.act': (.25, .4, .25, .15, .15, .8, .45, .3),
    'sport/noun.act': (.35, .45, .15, .25, .15, .9, .4, .15), 'country/noun.location': (.1, .6, .1, 1.1, .15, 0, .1, .2),
    'city/noun.location': (.1, .5, .3, 1.1, .05, .2, 0, .1), 'color/noun.attribute': (.15, 0, .9, .25, .1, .05, .15, .5),
    'meeting/noun.group': (.15, .9, .05, .4, .5, .35, .05, .45), 'organization/noun.group': (.1, .9, .25, .6, .05, .2, 0, .35),
    'season/noun.time': (.35, 0, .05, .3, 1.1, .1, .2, 0), 'storm/noun.phenomenon': (.1, 0, .4, .7, .4, .7, -.4, 0),
    'award/noun.communication': (0, .3, 1, .1, .15, .15, .5, .2), 'work/noun.act': (.1, .4, .35, .25, .25, .95, -.1, .4), 'travel/noun.act': (.25, .3, .05, .65, .3, .9, .2, .05),
}

_PLEASANT = '''good pleasant happy joy delight love enjoyment enjoyable beautiful nice kind pleasing delicious tasty sweet fun
friendly glad cheerful wonderful excellent perfect lovely favorable agreeable attractive charming comfortable gentle generous
warm bright success victory win gift hope peaceful calm safe brave clever proud praise admire like enjoy please smile laugh
celebrate clean fresh healthy lucky polite honest loyal funny amusing interesting exciting satisfy satisfied relaxed grateful
best great fine beauty happiness pleasure pretty cute cozy delightful'''
_UNPLEASANT = '''bad unpleasant sad sorrow pain hate anger angry fear afraid evil cruel ugly nasty horrible terrible awful harm
harmful hurt injure damage disgusting foul dirty cry weep death die kill enemy danger dangerous disease ill sick illness wrong
fail failure lose loss poor hunger hungry thirsty tired weary weak lazy lonely alone worry worried anxious nervous scared
frightening frighten disappoint disappointed ashamed shame guilty jealous bored boring dull broken break destroy cold bitter
sour painful suffer suffering misery miserable unhappy dislike unfriendly rude selfish stupid noisy crime criminal steal theft
war attack violent cruel nightmare grief trouble difficult problem poison ruin worst worse wound exhausted punish furious'''
ENGLISH_POLARITY = {w: 1.0 for w in _PLEASANT.split()} | {w: -1.0 for w in _UNPLEASANT.split()}

# Everyday words that seldom occur in definitions.
ENGLISH_EXTRA = '''scary cute fridge selfie laptop smartphone tablet burger pizza sandwich cookie noodle yummy sleepy silly messy
sneaky bossy grumpy cuddly fluffy furry spooky creepy tasty crunchy juicy grandma grandpa mom dad mum mommy daddy kid buddy
babysitter firefighter mailman policewoman classmate teammate roommate skateboard scooter backpack sneaker hoodie sweater
jacket scarf mitten popcorn chocolate strawberry watermelon pancake muffin cupcake hamster panda koala penguin dolphin
unicorn dinosaur robot spaceship astronaut wizard pirate playground sandbox treehouse lollipop toothbrush bathtub blanket
pillow couch sofa microwave toaster blender keyboard headphone charger email website internet video online app chat
recharge delete download upload click google'''.split()

# Words that are newer than WordNet 3.0 or named differently there: each gets the row of its hypernym.
ENGLISH_LIKE = {word: like for like, words in {
    'telephone': 'smartphone iphone android headset smartwatch', 'computer': 'chromebook macbook ipad playstation xbox laptop',
    'photograph': 'selfie jpeg screenshot', 'camera': 'webcam gopro dashcam', 'jacket': 'hoodie puffer', 'shirt': 'tshirt tee',
    'shoe': 'sneaker sandal flip-flop croc', 'coat': 'raincoat parka', 'trouser': 'leggings sweatpants',
    'sandwich': 'burrito bagel panini quesadilla', 'soup': 'ramen pho', 'coffee': 'latte espresso cappuccino mocha',
    'bread': 'croissant focaccia naan', 'vegetable': 'broccoli zucchini kale edamame', 'cheese': 'tofu hummus feta',
    'rice': 'quinoa couscous', 'fruit': 'persimmon kiwi lychee dragonfruit', 'cake': 'brownie churro donut macaron',
    'candy': 'gummy', 'juice': 'smoothie', 'website': 'youtube facebook instagram twitter tiktok wikipedia reddit wechat netflix spotify',
    'radio': 'podcast', 'letter': 'emoji hashtag meme gif sms', 'program': 'app chatbot gpt chatgpt malware antivirus',
    'company': 'google microsoft amazon tesla uber openai', 'money': 'bitcoin crypto cryptocurrency', 'machine': 'router modem chatbot bot',
    'device': 'charger bluetooth usb wifi powerbank earbud touchscreen touchpad', 'airplane': 'drone', 'car': 'suv minivan',
    'bicycle': 'ebike', 'illness': 'covid', 'medicine': 'antidepressant', 'actor': 'influencer vlogger streamer youtuber blogger',
    'player': 'gamer', 'worker': 'freelancer barista babysitter cashier', 'expert': 'geek', 'lesson': 'webinar', 'meeting': 'zoom hangout',
    'house': 'airbnb hostel', 'animal': 'piglet', 'hippopotamus': 'hippo', 'rhinoceros': 'rhino', 'toy': 'seesaw fidget lego',
    'bag': 'backpack', 'write': 'texting texted email emailed blog', 'search': 'google', 'photographer': 'paparazzi',
}.items() for word in words.split()}

# Names get the row of their kind: a name tells only whether a person is meant.
ENGLISH_NAMES = {
    'man': '''james john robert michael william david richard joseph thomas charles daniel matthew anthony mark paul steven
        andrew kenneth george joshua kevin brian edward ronald timothy jason jeffrey ryan jacob gary nicholas eric jonathan
        stephen larry justin scott brandon benjamin samuel frank gregory raymond alexander patrick jack dennis jerry tyler
        aaron henry peter adam nathan zachary walter kyle harold carl jeremy gerald keith roger arthur lawrence sean albert
        jesse joe bryan billy ralph louis tom tim ben sam max leo oscar harry oliver noah liam ethan lucas simon martin alan
        fred bob jim bill mike dave steve tony ali omar ahmed mohammed juan carlos luis pedro jose antonio hans ivan igor
        pierre marco luca wei ming''',
    'woman': '''mary patricia jennifer linda elizabeth barbara susan jessica sarah karen lisa nancy sandra ashley emily kimberly
        margaret donna michelle carol amanda melissa deborah stephanie rebecca laura sharon cynthia amy kathleen angela
        shirley emma brenda pamela nicole anna samantha katherine christine debra rachel carolyn janet maria olivia heather
        helen catherine diane julie victoria joyce lauren kelly christina ruth joan virginia judith evelyn hannah andrea
        megan jacqueline martha madison teresa gloria sara janice ann kathryn abigail sophia frances jean alice judy julia
        denise beverly danielle marilyn charlotte theresa diana natalie kayla alexis lori lily ella mia chloe zoe lucy kate
        jane sally betty nina eva clara sophie fatima aisha elena olga li xiaoming mei''',
}
NAME_ROWS = {'man': (.5, 1.1, 0, .05, 0, .4, .05, .05), 'woman': (.5, 1.1, 0, .05, 0, .05, .4, .15)}

CHINESE_NAMES = {
    'man': '小明 小刚 小王 小李 小张 小华 小军 小强 小杰 大明 张三 李四 老王 老李 老张',
    'woman': '小红 小丽 小芳 小美 小兰 小燕 小玲 莉莉 丽丽 婷婷',
}

# Characters by subject. A character in several groups gets their mean.
CHINESE_GROUPS = {
    'animal': ((1.15, 0, .1, .15, 0, .35, .05, 0), '狼熊兔猴猪鸡鸭鹅蛇龙虫蚁蜂蝶蛙龟鲸鲨狐豹象鹿骆驼狮驴骡猿蟹虾蚊蝇鹰雀鸽燕鹤犬兽禽猩猬鳄蚕蜘蛛蟋蟀鼠猫狗羊牛马鱼鸟虎畜宠崽仔咪'),
    'plant': ((.95, 0, .6, .5, .05, 0, .15, 0), '木林森竹叶根枝芽苗禾松柏柳桃李杏藤棉莲荷菊兰玫瑰梅桂藻菌植种籽朵草花树'),
    'food': ((.4, .1, 1.1, 0, .1, .1, .3, 0), '饼糕糖盐油酱醋肉汤粥粉饺包馒食餐奶酒饮料咖啡酪巧克蛋米面麦稻豆瓜果菜葱蒜姜梨橘橙蕉莓薯萄葡柠檬椒菇串烤煮炒炸蒸煎鲜饭茶'),
    'body': ((.8, .4, .75, .1, 0, .15, 0, 0), '脚头脸耳鼻口嘴舌牙齿唇发胡颈脖肩臂腕指胸腹肚腰背腿膝足骨血皮肤肝肺胃肾脑身体筋毛胳膊眉额喉'),
    'person': ((.5, 1.1, 0, .05, 0, .1, .05, .1), '员士工兵民者妇童婴爷奶爸妈叔伯姨姑舅哥姐弟妹儿孙夫妻婆公娘父母兄嫂侄君臣帝皇后妃侠客徒侣伙伴众辈宾僧佛神仙鬼您俺咱她他你我人俩'),
    'place': ((.1, .3, .35, 1.15, 0, .05, .1, .05), '馆院店厂场所站港岸洲岛湖江洋溪泉湾峡谷峰岭坡洞原野田村镇县市省州区京城乡巷道桥楼房屋室厅厨卧厕园圃庭校宫殿庙寺塔墙窗层顶底边旁侧左右东南西北前处域境土林滩崖井宅铺坊局部府营'),
    'thing': ((0, .1, 1.15, .15, 0, .1, .05, .05), '杯碗盘碟瓶壶锅盆桶箱盒袋篮架柜床桌椅凳灯烛镜钟表笔纸册刀叉勺筷剪针线绳布衣裤裙鞋帽袜伞扇巾毯被枕帘牌票卡证币钥匙锁钉锤斧锯具械仪枪炮弹箭剑盾旗鼓琴笛棋玩品物件宝珠链戒项饰礼盖罐管棒棍板块片条根粒颗把杆键屏幕网站贴膜垃圾沙发'),
    'vehicle': ((-.1, .15, 1, .45, .05, .6, .05, 0), '船舰艇艘航轮舟筏飞列驶驾车'),
    'material': ((.05, 0, 1.15, .3, 0, .1, 0, 0), '金银铜铁钢铝玻璃石沙泥砖瓦塑胶火冰煤油电光烟灰尘丝毛革'),
    'weather': ((.1, 0, .4, .85, .6, .4, 0, .05), '云雾雷霜露霞虹晴阴暴台冰雹雨雪风'),
    'time': ((0, .05, .05, .1, 1.2, .05, .05, .1), '分秒刻岁周季晨午夕旦昔期代纪节假曾刚将已初末终始久暂永常总偶尔忽突立即马上再又先后次回遍前'),
    'motion': ((.45, .15, .05, .5, .1, 1.05, 0, 0), '爬行游奔赶逃进出入回返过达离移动转滚流落升降跌倒摔滑骑乘立蹲躺趴跪绕穿越退闯冲漂浮沉散步逛挤靠停留搬迁旅'),
    'contact': ((.2, .2, .6, .15, .05, 1, 0, 0), '拿放打拍推拉拖提抱扛抬举扔投抛丢捡拾抓握捏摸碰撞敲踢踩压按切割砍剪撕折拆装绑捆扫擦洗刷涂画挖埋填挂插拔掉摆弄捂递接咬吐吹踏戴穿脱盛倒摘采捕捞钓射'),
    'change': ((.1, .2, .4, .1, .3, 1, .05, .1), '造建制修改变换关成增加减毁断裂破碎炸烧熄灭融化干湿满空产创设办备用充补'),
    'possession': ((.1, .5, .55, 0, .05, .9, .1, .15), '送借还买卖租付赚赔取得收受拥存省偷抢夺赠付欠捐缴领购售贵贱价费钱富财产'),
    'social': ((.2, .8, .05, .1, .1, .75, .05, .3), '助邀陪伴护救守管教育导统治斗争战赛结婚嫁娶聚会访拜迎欢合作约派命令罚赏选举参加组团交往碰遇'),
    'speech': ((.1, .45, .3, 0, .05, .35, .05, .95), '讲谈告诉叫喊骂吵议论评文句诗念述报称谣喻译解释通知宣布声音响呼吁嚷聊谎辩词语'),
    'mind': ((.1, .4, .15, 0, .05, .2, .1, 1.1), '思考识懂明觉悟忘忆信疑猜测研究计划策理论智慧聪意志梦算认判决定断选择注意集中精神灵魂概念法则律规课题试验证据史哲数化'),
    'perception': ((.45, .3, .15, .1, .05, .5, .1, .8), '望视观瞧瞪盯闻嗅尝触感察瞅瞥窥找寻查见'),
    'pleasant': ((.3, .5, .05, 0, .05, .2, 1.05, .15), '乐笑兴幸福甜妙优秀良善亲暖舒适安宁静和谐赞赏敬佩羡慕希望激感悦愉祥吉利健康香鲜棒强勇敢胜赢富贵聪靓帅俊丽漂亮趣'),
    'unpleasant': ((.35, .45, .05, 0, .05, .2, -1, .1), '怒怨愁悲伤哀哭痛苦忧虑惧恐惊慌羞愧悔恶丑脏臭烂差错误失败死亡病疼害危险毒罪凶残孤独穷渴困疲倦糟讨厌烦闷急躁寂寞惨笨傻懒饿累弱亏欺骗骂'),
    'colour': ((.15, 0, .9, .25, .1, .05, .15, .5), '橙青紫灰粉棕彩色'),
    'size': ((.15, .05, .7, .85, .1, 0, 0, .05), '短高低窄厚薄粗细深浅远近重圆方尖平直弯矮胖瘦巨微紧松硬软'),
    'quality': ((.1, .15, .6, .1, .3, .1, .1, .35), '真假对正反同异旧奇怪特普简单难易清楚美全满空快慢严重要般够'),
    'number': ((0, .15, .75, .05, .45, 0, 0, .8), '零两半双千万亿几数量倍第约余单各每些'),
    'heat': ((.1, .05, .45, .45, .25, .1, .3, -.1), '温烫晒烧暑'),
    'chill': ((-.05, .05, .4, .5, .3, 0, -.7, 0), '凉寒冻凛'),
}

# Characters that determine the meaning of nouns, but hardly that of verbs written with them.
CHINESE_NOUN_GROUPS = 'animal plant food body person place thing vehicle material weather'.split()

# The last character of a noun determines its kind.
CHINESE_LAST = [
    ((.4, 1.1, 0, .1, 0, .25, .05, .4), '员士师者家手匠生长徒夫兵民客商贩迷星星霸'),
    ((.05, .4, .45, 1.1, 0, .1, .1, .1), '馆院店厂场所站港楼房屋室厅厨园校宫庙寺塔桥路街巷道城市镇村县省州国洲岛湖江河海洋山谷峰岸湾区铺局'),
    ((-.1, .15, 1, .45, .05, .6, .05, 0), '车船艇轮'),
    ((-.1, .1, 1.1, .1, .05, .4, 0, .15), '机器仪'),
    ((0, .1, 1.15, .15, 0, .05, .05, .05), '杯碗盘瓶壶锅盆桶箱盒袋包篮架柜床桌椅灯镜表笔纸刀伞鞋帽衣裤裙袜琴球票卡证具品物件牌布巾被针线绳'),
    ((1.15, .05, .1, .15, 0, .35, .05, 0), '猫狗鱼鸟鸡鸭鹅猪羊牛马虎狼熊兔猴鼠蛇虫蜂蝶象鹿'),
    ((.95, 0, .6, .4, .05, 0, .2, 0), '树花草竹藤苗叶'),
    ((.4, .05, 1.1, .05, .1, .05, .35, 0), '果菜饭面饼糕糖汤肉豆瓜莓茶酒奶水油酱'),
    ((0, .25, .45, .05, .05, .1, .1, 1.05), '学论法理义念书信文章语词课题史'),
    ((0, .1, .05, .1, 1.2, .1, .1, .1), '年月日时期天季节夜晨午晚'),
    ((.7, .4, .05, 0, .25, 0, -.95, 0), '病症炎癌痛'),
]

# Excluded: pairs of words that jieba lists as one, and words that are common only in the newspapers it was counted in.
CHINESE_TWO_WORDS = set('''读书 看书 写字 太小 太大 太重 太高 太多 太少 太快 太慢 太好 很快 很多 很大 很小 很好 本书 这部 这本 那本 树上 车上 桌上
    小时候 大会 会上 有人 有一 人有 是一 我有'''.split())

CHINESE_POLARITY = [
    (1.0, '好喜爱乐欢笑兴幸福甜美妙优秀良善亲暖舒适安宁和谐赞赏敬佩羡慕希望悦愉祥吉利健康香鲜棒勇胜赢俊丽漂亮趣佳温馨强聪慧富净洁'),
    (-1.0, '怒怨愁悲伤哀哭痛苦忧虑惧恐惊慌羞愧悔恶丑脏臭烂差错误失败死亡病疼害危险毒罪凶残孤独穷渴困疲倦糟讨厌烦闷急躁寂寞惨笨傻懒饿累弱亏欺骗坏恨怕冷暴杀敌'),
]

# Classes of jieba's dictionary.
CHINESE_CLASSES = {
    'n': (.1, .25, .8, .3, .1, .1, .05, .4), 'nr': (.5, 1.1, 0, .05, 0, .2, .1, .1), 'nrt': (.5, 1.1, 0, .1, 0, .2, .05, .1),
    'ns': (.1, .4, .15, 1.15, .1, 0, .05, .1), 'nt': (.1, .9, .25, .65, .05, .2, 0, .35), 'nz': (0, .3, .8, .3, .05, .1, .1, .4),
    't': (0, .05, .05, .15, 1.2, .1, .05, .1), 's': (0, .1, .2, 1.15, .05, 0, .05, 0), 'f': (0, 0, .15, 1.05, .25, .1, 0, 0),
    'v': (.2, .35, .25, .15, .1, .9, .05, .35), 'vn': (.1, .4, .3, .15, .15, .75, .05, .5), 'vd': (.1, .3, .1, .1, .2, .8, 0, .3),
    'a': (.2, .3, .45, .2, .15, .1, .2, .25), 'ad': (.1, .2, .2, .1, .3, .5, .2, .3), 'an': (.2, .4, .2, .1, .1, .1, .3, .5),
    'b': (.1, .2, .6, .25, .15, .1, .05, .4), 'z': (.2, .25, .4, .25, .15, .3, .2, .25), 'd': (0, .1, .1, .05, .4, .3, 0, .3),
    'm': (0, .15, .75, .05, .45, 0, 0, .75), 'q': (.1, .1, .5, .1, .15, 0, 0, .15), 'r': (.2, .5, .3, .2, .1, .05, 0, .25),
    'c': (0, .05, .05, 0, .2, .15, 0, .4), 'p': (0, .1, .15, .35, .2, .25, 0, .05), 'u': (0, 0, .1, .05, .3, .15, .05, 0),
    'y': (0, .2, 0, 0, .05, .05, .1, .4), 'e': (.05, .4, 0, 0, .05, .1, .4, .2), 'o': (.1, 0, .2, .2, .1, .6, .1, .1),
    'i': (.2, .4, .2, .2, .2, .4, .05, .5), 'l': (.2, .4, .25, .2, .15, .4, .1, .4), 'j': (.1, .7, .2, .6, .05, .2, 0, .3),
    'g': (.1, .2, .5, .2, .15, .3, 0, .3), 'k': (0, .4, .1, .1, 0, 0, 0, 0), 'h': (0, .3, .2, .1, .1, 0, .1, .1), 'x': (.1, .2, .5, .2, .1, .2, 0, .3),
}

# Everyday words that are rare or missing in a newspaper corpus, with their classes.
CHINESE_EXTRA = {word: kind for kind, words in {
    'n': '''奖杯 行李箱 充电器 冰箱 洗衣机 微波炉 遥控器 耳机 键盘 鼠标 平板 书包 背包 钱包 雨伞 牙刷 牙膏 毛巾 沙发 枕头 被子 拖鞋 袜子
        裙子 外套 毛衣 蛋糕 冰淇淋 巧克力 饼干 薯条 汉堡 披萨 咖啡 奶茶 果汁 可乐 花瓶 金鱼 鹦鹉 小偷 孙子 孙女 盒子 瓶子 米饭 面条 电脑包 草莓 西瓜 葡萄 香蕉 西红柿 土豆 胡萝卜 小鸟 小鸡 小鸭
        小鱼 小兔 小熊 小羊 小马 小象 猴子 狮子 老虎 大象 长颈鹿 熊猫 企鹅 海豚 蝴蝶 蜜蜂 蚂蚁 蜘蛛 乌龟 青蛙 刺猬 松鼠 狐狸 护士 司机
        厨师 警察 邮递员 服务员 外卖员 快递员 歌手 画家 作家 律师 演员 导演 同桌 邻居 室友 老板 同学 同事 奶奶 爷爷 外婆 外公 叔叔 阿姨
        快递 外卖 短信 微信 视频 照片 电视 电视机 自行车 电动车 公交车 出租车 地铁 高铁 火车 飞机
        救护车 消防车 卡车 摩托车 钢琴 吉他 小提琴 木琴 足球 篮球 乒乓球 羽毛球 玩具 积木 气球 风筝 作业 考试 成绩 橡皮 铅笔 尺子 黑板
        桃子 李子 杏子 柿子 栗子 橘子 橙子 梨子 蓝莓 荔枝 菠萝 樱桃 番茄 茄子 洋葱 白菜 萝卜 包子 馒头 饺子 薯片 酸奶 蜂蜜 粽子 月饼 汤圆 火锅 烤鸭
        辣椒 蘑菇 南瓜 玉米 豆浆 油条 煎饼 寿司 面包 布丁 糖果 棒棒糖 爆米花 电扇 电饭锅 吸尘器 吹风机 空调 烤箱 胶水 剪刀 围巾 手套 帽子 雨衣 凉鞋
        靴子 毯子 床单 台灯 梳子 镜子 垃圾桶 拖把 扫帚 水桶 水壶 水杯 杯子 盘子 勺子 筷子 叉子 纽扣 拉链 口罩 眼镜 手表 戒指 项链 耳环 手镯 口红 香水
        蜻蜓 蟑螂 章鱼 鲸鱼 鲨鱼 斑马 河马 犀牛 袋鼠 考拉 猩猩 猫头鹰 母鸡 公鸡 小猪 小鹿 小狼 小虎 骆驼 孔雀 乌鸦 麻雀 燕子 天鹅 蝌蚪 毛毛虫 蜗牛 螃蟹
        龙虾 蚊子 苍蝇 恐龙 仓鼠 兔子 鸽子 老鼠 鸭子 驴子 狐狸 熊猫 机器人 外星人 宇航员 消防员 售货员 清洁工 保姆 裁缝 木匠 渔夫 猎人 农夫 牧羊人
        公主 王子 国王 女王 皇后 魔法师 巫婆 海盗 骑士 天使 仙女 滑板 秋千 滑梯 跷跷板 粉笔 书架 书桌 课本 作业本 日记 铅笔盒 卷笔刀 圆珠笔 钢笔
        手机壳 数据线 充电宝 优盘 路由器 打印机 相机 照相机 电梯 扶梯 红绿灯 斑马线 直升机 轮船 帆船 火箭 飞船 卫星 无人机 拖拉机 挖掘机 滑板车
        雪人 雪球 风铃 灯笼 鞭炮 红包 邮票 明信片 望远镜 显微镜 放大镜 指南针 地球仪 鼓 喇叭 口琴 二胡 古筝 琵琶 萨克斯''',
    's': '公园 超市 商店 图书馆 博物馆 动物园 游乐园 游泳池 教室 厨房 客厅 卧室 浴室 阳台 院子 车站 机场 医院 银行 餐厅 饭馆 食堂 宿舍 办公室',
    'v': '''充电 没电 关机 开机 下载 上网 聊天 打电话 洗澡 刷牙 睡着 起床 迟到 下班 上班 上学 放学 做饭 洗碗 扫地 拖地 购物 排队 堵车 散步
        跑步 游泳 爬山 骑车 开车 唱歌 跳舞 画画 讲故事 摔倒 打碎 打破 弄坏 弄脏 修好 吃掉 喝光 送给 借给 还给 递给 交给 扔掉 飞走 逃走 跑走 吓跑 追上 打开 关上 想起 走进 跑出 掉进 掉下来 跑过来 跑出去 睡着''',
    'a': '''好吃 好喝 好看 好听 好玩 难吃 难看 难听 可爱 可怕 可怜 开心 伤心 难受 害怕 害羞 无聊 紧张 兴奋 激动 疲惫 疲倦 口渴 困 渴 饱 冷静
        温柔 善良 聪明 调皮 淘气 勤劳 懒惰 干净 肮脏 整齐 热闹 安静 吵 吵闹 拥挤 舒服 暖和 凉快 炎热 寒冷 结实 沉重 轻便 锋利 柔软 坚硬
        新鲜 美味 香 臭 甜 酸 苦 辣 咸 烫 滑 湿 干 脏 破 旧 贵 便宜 危险 安全 漂亮 帅 丑 胖 瘦 高 矮''',
    'd': '马上 不但 不如 从来 到底',
}.items() for word in words.split()}
