{-# LANGUAGE CPP, DataKinds, DerivingStrategies, FlexibleInstances, GADTs, GeneralizedNewtypeDeriving #-}
{-# LANGUAGE MultiParamTypeClasses, OverloadedStrings, QuasiQuotes, StandaloneDeriving, TemplateHaskell #-}
{-# LANGUAGE TypeFamilies, UndecidableInstances #-}

-- | persistent: insertKey for each record, or insertEntityMany for many. It only stores the entity of languages.yml.
--
-- https://hackage.haskell.org/package/persistent-2.13.3.5/docs/Database-Persist-Class.html#v:insertKey
-- https://hackage.haskell.org/package/persistent-2.13.3.5/docs/Database-Persist-Class.html#v:insertEntityMany
module Main (main) where

import BatchmarkEngine
import Control.Monad (forM_, unless)
import Data.Aeson ((.=))
import Data.Int (Int64)
import Data.Text (Text)
import Database.Persist
import Database.Persist.Sql
import Database.Persist.Sqlite (wrapConnection)
import Database.Persist.TH
import qualified Database.Sqlite as SQLite

share [mkPersist sqlSettings] [persistLowerCase|
Quake sql=ZQUAKE
  Id Int64 sql=Z_PK
  entity Int sql=Z_ENT
  version Int sql=Z_OPT
  code Text sql=ZCODE
  magnitude Double Maybe sql=ZMAGNITUDE
  place Text Maybe sql=ZPLACE
  time Double sql=ZTIME
|]

openStore :: Job -> IO Engine
openStore job = do
  unless (table job == "ZQUAKE") $ fail "this stores the entity Quake alone"
  rows <- heldRows job
  quakes <- either (fail . show) pure (traverse (fromPersistValues . ([PersistInt64 1, PersistInt64 1] <>)) rows)
  opened <- SQLite.open (store job)
  backend <- wrapConnection opened (\_ _ _ _ -> pure ())
  prepareStore job opened
  let save part = case strategy job of
        "save" -> forM_ part $ \(Entity key quake) -> insertKey key quake
        _ -> insertEntityMany part
      saveAll firstKey = forM_ (chunks job "save_every" (zipWith Entity (QuakeKey <$> [firstKey ..]) quakes)) $ \part ->
        runSqlConn (save part) backend
  -- Evaluate each record before the engine is ready; otherwise it would happen lazily during the measured work.
  pure $! foldr seq () (quakes :: [Quake])
  pure $ Engine { rowCount = length quakes, connection = opened, insertRows = saveAll, closeStore = close' backend }

main :: IO ()
main = do
  greeting <- hello "persistent" VERSION_persistent_sqlite
    [ held "save" "object_by_object" "persistent: insertKey for each record" ["no upsert"] ["Quake"] all'
    , held "batch" "batch_array" "persistent: insertEntityMany for each save" ["no upsert"] ["Quake"] all'
    ]
  serve greeting openStore
  where all' = ["save_every" .= ("all" :: Text)]
