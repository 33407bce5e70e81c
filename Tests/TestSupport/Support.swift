/// x
public enum Support {}
