import AsyncHTTPClient
import Crypto
