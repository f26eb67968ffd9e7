{-# LANGUAGE DeriveAnyClass #-}
{-# LANGUAGE DeriveGeneric #-}
{-# LANGUAGE OverloadedStrings #-}

-- | The helper for engines in Haskell: implements the protocol, so an engine only stores rows.
--
-- An engine makes an 'Engine' from a 'Job', and its @main@ calls 'serve'. The 'Job' has Batchmark's request; see the
-- article "Engines in any language".
module BatchmarkEngine (Engine (..), Job (..), table, heldRows, chunks, prepareStore, held, hello, serve) where

import Control.Exception (SomeException, bracket, throwIO, try)
import Control.Monad (forM, when)
import Data.Aeson
import Data.Aeson.Key (fromText, toText)
import qualified Data.Aeson.KeyMap as Object
import qualified Data.ByteString.Char8 as Bytes
import qualified Data.ByteString.Lazy as Lazy
import Data.Int (Int64)
import Data.Map (Map, (!))
import Data.Text (Text)
import qualified Data.Text as Text
import Data.Version (showVersion)
import Database.Persist (PersistValue (..), fromPersistValueText)
import qualified Database.Sqlite as SQLite
import GHC.Clock (getMonotonicTime)
import GHC.Generics (Generic)
import GHC.IO.Handle.FD (fdToHandle)
import System.IO
import System.Info (compilerVersion)

-- | The request to open a store.
data Job = Job
  { strategy :: Text, parameters :: Object, store :: Text, source :: Text, entities :: [Object]
  , pragmas :: [Map Text Text], answered_pragmas :: [Text], first_write :: Text, merge_policy :: Text
  } deriving (Generic, FromJSON)

-- | The entity's table in the store.
table :: Job -> Text
table job = textOf "table" (head (entities job))

textOf :: Key -> Object -> Text
textOf key it = case Object.lookup key it of
  Just (String text) -> text
  _ -> ""

-- | An engine with an open store.
data Engine = Engine
  { rowCount :: Int
  , connection :: SQLite.Connection
  , insertRows :: Int64 -> IO () -- ^ Stores all rows; the first has this key.
  , closeStore :: IO ()
  }

-- | The rows that a statement returns.
rowsOf :: SQLite.Connection -> Text -> IO [[PersistValue]]
rowsOf it sql = bracket (SQLite.prepare it sql) SQLite.finalize (collect [])
  where
    collect rows statement = do
      found <- SQLite.stepConn it statement
      case found of
        SQLite.Done -> pure (reverse rows)
        SQLite.Row -> SQLite.columns statement >>= \row -> collect (row : rows) statement

-- | All rows of the source. Their values have the order of the entity's columns.
heldRows :: Job -> IO [[PersistValue]]
heldRows job = bracket (SQLite.open (source job)) SQLite.close $ \it ->
  rowsOf it ("SELECT * FROM \"" <> textOf "source_table" (head (entities job)) <> "\" ORDER BY rowid")

-- | The values in parts of a parameter's size.
chunks :: Job -> Key -> [value] -> [[value]]
chunks job parameter values = case Object.lookup parameter (parameters job) of
  Just (Number size) -> parts (round size) values
  _ -> [values]
  where
    parts _ [] = []
    parts size list = let (first, rest) = splitAt size list in first : parts size rest

-- | Sets the pragmas and runs the first write.
prepareStore :: Job -> SQLite.Connection -> IO ()
prepareStore job it = do
  mapM_ (\pragma -> rowsOf it ("PRAGMA " <> pragma ! "name" <> " = " <> pragma ! "value")) (pragmas job)
  mapM_ (rowsOf it . Text.strip) (Text.splitOn ";" (first_write job))

-- | The description for @hello@ of a strategy that keeps its rows in memory, with its parameters and their defaults.
-- The strategy supports these entities, or any entity if the list is empty. A strategy that gives up @no upsert@ cannot
-- handle rows with unique values that are already in the store.
held :: Text -> Text -> Text -> [Text] -> [Text] -> [(Key, Value)] -> Value
held name role summary givesUp known defaults = object $
  [ "name" .= name, "operation" .= ("insert" :: Text), "role" .= role, "summary" .= summary, "rows" .= ("held" :: Text)
  , "gives_up" .= givesUp, "upserts" .= notElem "no upsert" givesUp, "parameters" .= object defaults
  ] <> ["entities" .= known | not (null known)]

-- | The program's answer to @hello@.
hello :: Text -> Text -> [Value] -> IO Value
hello engine version strategies = bracket (SQLite.open ":memory:") SQLite.close $ \it -> do
  library <- concat <$> rowsOf it "SELECT sqlite_version(), sqlite_source_id()"
  let keys = ["version", "source_id"]
  pure $ object
    [ "hello" .= (1 :: Int), "engine" .= engine, "version" .= version
    , "runtime" .= ("GHC " <> showVersion compilerVersion)
    , "heap" .= ("managed" :: Text)
    , "sqlite" .= object [key .= text | (key, Right text) <- zip keys (fromPersistValueText <$> library)]
    , "strategies" .= strategies
    ]

ready :: Job -> Engine -> IO Value
ready job engine = do
  answers <- forM (answered_pragmas job) $ \name -> do
    found <- concat <$> rowsOf (connection engine) ("PRAGMA " <> name)
    pure [fromText name .= text | Right text <- fromPersistValueText <$> take 1 found]
  pure $ object ["ready" .= object (concat answers)]

answer :: Engine -> Text -> Value -> IO Value
answer engine "go" (Object start) | Just (Number key) <- Object.lookup "first_key" start = do
  began <- getMonotonicTime
  insertRows engine (round key)
  ended <- getMonotonicTime
  pure $ object ["done" .= object ["rows" .= rowCount engine, "seconds" .= (ended - began)]]
answer engine "checkpoint" _ = do
  busy <- concat <$> rowsOf (connection engine) "PRAGMA wal_checkpoint(TRUNCATE)"
  when (take 1 busy /= [PersistInt64 0]) $ throwIO (userError "the checkpoint left frames in the WAL")
  pure $ object ["checkpointed" .= (1 :: Int)]
answer engine "close" _ = closeStore engine >> pure closed
answer _ request _ = throwIO (userError ("this program knows no request '" <> Text.unpack request <> "'"))

closed :: Value
closed = object ["closed" .= (1 :: Int)]

-- | Answers requests until Batchmark closes the connection.
serve :: Value -> (Job -> IO Engine) -> IO ()
serve greeting open = do
  requests <- fdToHandle 3
  answers <- fdToHandle 4
  let say value = Lazy.hPutStr answers (encode value <> "\n") >> hFlush answers
      failed engine error' = say (object ["error" .= show (error' :: SomeException)]) >> loop engine
      loop engine = do
        ended <- hIsEOF requests
        line <- if ended then pure "" else Bytes.hGetLine requests
        case Object.toList <$> decodeStrict line of
          Just [("hello", _)] -> say greeting >> loop engine
          Just [("open", value)] -> do
            outcome <- try (opened value)
            either (failed engine) (\(it, text) -> say text >> loop (Just it)) outcome
          Just [("close", _)] | Nothing <- engine -> say closed
          Just [(request, value)] -> do
            outcome <- try (maybe (notOpen request) (\it -> answer it (toText request) value) engine)
            either (failed engine) (\text -> say text >> if request == "close" then pure () else loop engine) outcome
          _ -> pure ()
      notOpen request = throwIO (userError ("no store is open for the request '" <> Text.unpack (toText request) <> "'"))
      opened value = do
        job <- case fromJSON value of
          Success job -> pure job
          Error reason -> throwIO (userError reason)
        engine <- open job
        text <- ready job engine
        pure (engine, text)
  loop Nothing
