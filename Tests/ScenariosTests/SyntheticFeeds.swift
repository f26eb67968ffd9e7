// Small feeds with the anomalies of real ones.

/// CSV with a byte-order mark, CRLF, quoted commas, quotes and line ends, letters beyond ASCII, numbers of every
/// shape, and no line end after the last row.
let oddCSV =
  "\u{FEFF}time,latitude,longitude,depth,mag,magType,nst,place,id,updated\r\n"
  + "2018-06-12T16:38:28.820Z,19.4,-155.26,0.47,1.74,md,14,"
  + "\"4km SW of Volcano, Hawaii\",hv70256866,2018-06-12T16:41:31.700Z\r\n"
  + "2018-06-12T15:57:22.330Z,12.3582,-94.0548,10,,mb,,"
  + "\"5km \"\"up\"\", Piñon Hills\",us1000ep7p,2018-06-12T16:30:26Z\r\n"
  + "2018-06-12T15:53:46Z,1e1,-0,-.5,-0.66,\"\",+7,\"two\r\nlines\",ci1,2018-06-12\r\n"
  + "2018-06-12T15:53:46+02:00,5.,0,1E2,10,ml,007,日本 🌋,ci2,2018-06-12"

/// GeoJSON, pretty-printed, with escapes, unneeded nested values, nulls, absent properties, geometries that are null or
/// lack a depth, integer and decimal numbers, and keys in a different order.
let oddGeoJSON = """
  {
    "metadata": {"generated": 1397564044000, "nested": {"a": [1, {"b": null}, "]}"]}, "count": 4},
    "features": [
      {"id": "ak1", "type": "Feature", "geometry": {"coordinates": [-150.061, 62.1778, 18.3], "type": "Point"},
       "properties": {"mag": 1.2, "place": "11km W of Y, Alaska", "time": 1397562567000, "code": "1", "nst": null,
         "tsunami": 0, "sig": 22, "url": "http://example.org/ak1", "products": {"origin": [{"x": [[[]]]}]}}},
      {"properties": {"mag": null,
         "place": "\\u0050i\\u00f1on \\"Hills\\" \\/ \\ud83c\\udf0b\\n", "time": 1397562567001,
         "code": "2", "tsunami": 1, "felt": true, "sig": -1E0}, "geometry": null, "id": "us2", "type": "Feature"},
      {"type": "Feature", "properties": {"mag": -0.66, "place": "日本", "time": -1, "code": "3", "nst": 7},
       "geometry": {"type": "Point", "coordinates": [1, 2]}, "id": "ci3"},
      {"type": "Feature", "properties": {"mag": 2, "place": "", "time": 0, "tsunami": null, "code": "4"},
       "geometry": {"type": "Point", "coordinates": [1, 2, null, 4]}, "id": "ci4"}
    ],
    "bbox": [-179.9313, -56.9542, -9.9, 179.5778, 86.6868, 578.53],
    "type": "FeatureCollection"
  }

  """
